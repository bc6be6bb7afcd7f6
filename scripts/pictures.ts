/** Takes the pictures of the README from the program as it is: `npm run pictures`. It needs Chromium on the PATH. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "docs/images");

interface Tree {
  readonly slug: string;
  look?: object;
  links: object[];
}

/** How the sample's trees look in the pictures, and two more: places that have icons, in a few themes. */
const LINKS = [
  { label: "Code", url: "https://github.com/" },
  { label: "Short thoughts", url: "https://mastodon.social/" },
  { label: "Drawings of skerries", url: "https://www.instagram.com/" },
  { label: "Songs from the boathouse", url: "https://bandcamp.com/" },
  { label: "Write to me", url: "mailto:mira.solberg@example.com" },
];

const LOOKS = [
  { slug: "mira", look: { accent: "#1f7a8c" } },
  { slug: "mira-ink", look: { theme: "ink", accent: "#c2410c" } },
  { slug: "mira-night", look: { theme: "night", accent: "#7c5cff" } },
];

const PHONE = { width: 390, height: 780 };
const DESK = { width: 1280, height: 860 };

/** Ports that nobody has. All are taken before one is given back, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () =>
    Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() }),
  );
  const ports = servers.map(({ port }) => port ?? 0);
  await Promise.all(servers.map((server) => server.stop(true)));
  return ports;
}

/** Runs a command of the program to its end, and gives what it printed. */
async function vitrine(...words: string[]): Promise<string> {
  const command = Bun.spawn([process.execPath, "src/cli/main.ts", ...words], {
    cwd: ROOT,
    stderr: "inherit",
  });
  const output = await new Response(command.stdout).text();
  if ((await command.exited) !== 0) throw new Error(`vitrine ${words.join(" ")} failed`);
  return output;
}

/** Waits until a program has printed something. It is not cut off: that would end a program that still prints. */
async function printed(stream: ReadableStream<Uint8Array>, wanted: string): Promise<void> {
  const [reader, decoder] = [stream.getReader(), new TextDecoder()];
  for (let text = ""; !text.includes(wanted); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the program never printed "${wanted}"`);
    text += decoder.decode(value, { stream: true });
  }
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready");
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  await Bun.write(join(FOLDER, `${name}.webp`), Buffer.from(data, "base64"));
}

async function takePages(browser: Browser, url: string): Promise<void> {
  const phone = await browser.newPage({ viewport: PHONE });
  for (const { slug } of LOOKS) {
    await phone.goto(`${url}/t/${slug}`);
    await take(phone, `page-${slug}`);
  }
  const desk = await browser.newPage({ viewport: DESK });
  await desk.goto(`${url}/p/mira-solberg`);
  await take(desk, "profile");
}

/** An owner who comes in by an invitation, and looks around. */
async function takeStudio(browser: Browser, invitation: string): Promise<void> {
  const page = await browser.newPage({ viewport: DESK });
  await page.goto(invitation);
  await page.getByRole("button", { name: "Come in" }).click();
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByRole("link", { name: "Link trees", exact: true }).click();
  await page.getByRole("link", { name: "Find me" }).first().click();
  await page.locator("iframe").last().contentFrame().getByText("Songs from the boathouse").waitFor();
  await take(page, "studio-links");
}

const executable = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => Bun.which(name))
  .find(Boolean);
if (!executable) throw new Error("there is no Chromium on the PATH");

const temporary = await mkdtemp(join(tmpdir(), "pictures-"));
const database = `sqlite:${join(temporary, "vitrine.db")}`;
const [port, studioPort] = await freePorts(2);
const flags = ["--database", database, "--studio-port", String(studioPort)];
const demo = Bun.spawn(
  [process.execPath, "src/cli/main.ts", "demo", ...flags, "--port", String(port), "--log-level", "silent"],
  { cwd: ROOT, stdout: "pipe" },
);
try {
  await printed(demo.stdout, "Stop with Ctrl+C");
  const record = JSON.parse(await vitrine("export", "mira.solberg@example.com", "--database", database));
  const [first, ...others] = record.linkTrees as [Tree, ...Tree[]];
  const trees = LOOKS.map(({ slug, look }, index) =>
    index === 0
      ? { ...first, look, links: LINKS }
      : { title: "Find me", description: null, slug, look, links: LINKS },
  );
  const file = join(temporary, "record.json");
  await Bun.write(file, JSON.stringify({ ...record, linkTrees: [...trees, ...others] }));
  await vitrine("import", file, "--database", database);
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    await takePages(browser, `http://127.0.0.1:${port}`);
    const invited = await vitrine("invite", "mira.solberg@example.com", ...flags);
    await takeStudio(browser, /http:\/\/\S+/.exec(invited)?.[0] ?? "");
  } finally {
    await browser.close();
  }
} finally {
  demo.kill();
  await demo.exited;
  await rm(temporary, { recursive: true });
}
