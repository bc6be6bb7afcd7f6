/** Takes the pictures of the README and of docs from the program as it is: `npm run pictures`. It needs Chromium on the PATH. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import { type Browser, chromium, type Page } from "playwright-core";
import { DAY_MS } from "../src/records/days.ts";
import { engineAt } from "../src/store/engines.ts";

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

/** What stands for the fonts of a system, so that pictures look the same from any. They are fetched for the purpose. */
const SYSTEM_FONTS = {
  sans: { family: "Inter", from: "@expo-google-fonts/inter@0.4.2" },
  "system-ui": { family: "Inter", from: "@expo-google-fonts/inter@0.4.2" },
  "sans-serif": { family: "Inter", from: "@expo-google-fonts/inter@0.4.2" },
  "ui-serif": { family: "Source Serif 4", from: "@expo-google-fonts/source-serif-4@0.4.1" },
  serif: { family: "Source Serif 4", from: "@expo-google-fonts/source-serif-4@0.4.1" },
  emoji: { family: "Noto Color Emoji", from: "@expo-google-fonts/noto-color-emoji@0.4.6" },
};

/** How many days have visitors, and how many of those who view a page follow each of its links. */
const DAYS = 60;
const SHARES = [0.16, 0.09, 0.06, 0.04, 0.02];

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

/** Visits of the first tree: a few more every day, and not the same number on any two. */
async function addVisits(file: string): Promise<void> {
  const engine = await engineAt({ engine: "sqlite", file });
  const store = await engine.open({ readOnly: true });
  const record = await store.records.find("mira.solberg@example.com");
  await store.close();
  const reader = await engine.openReader();
  const page = await reader.readPage(LOOKS[0]?.slug ?? "");
  await reader.close();
  const links = record?.linkTrees[0]?.links;
  if (!page || !links) throw new Error("there is no tree to visit");
  const { userNumber, treeId } = page;
  const now = Date.now();
  const counts = Array.from({ length: DAYS }, (_, index) => {
    const isToday = index === DAYS - 1;
    const wave = 1 + 0.35 * Math.sin(index * 0.9) + 0.2 * Math.sin(index * 2.3);
    const views = Math.round((28 + 0.6 * index) * wave * (isToday ? 0.35 : 1));
    const day = new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const clicks = links.map(({ id }, link) => ({
      linkId: id,
      count: Math.round(views * (SHARES[link] ?? 0) * (1 + 0.3 * Math.sin(index * 1.7 + link))),
    }));
    return [{ linkId: "", count: views }, ...clicks].map((one) => ({ ...one, userNumber, treeId, day }));
  });
  const writer = await engine.openCountWriter();
  await writer.write({ counts: counts.flat().filter(({ count }) => count > 0), keyIds: [], usedAt: now });
  await writer.close();
}

/** Runs in a frame: waits for its type and its pictures, but for those that only load when they are seen. */
const IS_THERE = `Promise.all([
  document.fonts.ready,
  ...[...document.images].filter(({ loading }) => loading !== "lazy").map((image) => image.decode().catch(() => {})),
]).then(() => true)`;

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(IS_THERE);
  const picture = new Bun.Image(await page.screenshot());
  await Bun.write(join(FOLDER, `${name}.webp`), await picture.webp({ quality: 88 }).bytes());
}

/** Fetches the fonts into a folder, and writes a configuration there that knows no others. */
async function fetchFonts(folder: string): Promise<string> {
  const packages = [...new Set(Object.values(SYSTEM_FONTS).map(({ from }) => from))];
  await $`npm install --silent --prefix ${folder} ${packages}`.quiet();
  const aliases = Object.entries(SYSTEM_FONTS).map(
    ([name, { family }]) =>
      `<match><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`,
  );
  const file = join(folder, "fonts.conf");
  await Bun.write(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/node_modules</dir><cachedir>${folder}/cache</cachedir>${aliases.join("")}<match><edit name="family" mode="append_last"><string>Inter</string></edit></match></fontconfig>`,
  );
  return file;
}

async function takePages(browser: Browser, url: string): Promise<void> {
  const phone = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 2 });
  for (const { slug } of LOOKS) {
    await phone.goto(`${url}/t/${slug}`);
    await take(phone, `page-${slug}`);
  }
  const desk = await browser.newPage({ viewport: DESK, deviceScaleFactor: 2 });
  await desk.goto(`${url}/p/mira-solberg`);
  await take(desk, "profile");
}

/** An owner who comes in by an invitation, and looks around: at a desk, in the dark, and with a phone. */
async function takeStudio(browser: Browser, invitation: string): Promise<void> {
  const page = await browser.newPage({ viewport: DESK, deviceScaleFactor: 2 });
  await page.goto(invitation);
  await page.getByRole("button", { name: "Come in" }).click();
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByRole("link", { name: "Link trees", exact: true }).click();
  await page.getByRole("link", { name: "Find me" }).first().click();
  await page.locator("iframe").last().contentFrame().getByText("Songs from the boathouse").waitFor();
  await take(page, "studio-links");

  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("link", { name: "Numbers", exact: true }).click();
  await page.getByText("The same as a table").waitFor();
  await take(page, "studio-numbers");

  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
  await page.setViewportSize({ ...PHONE, height: 800 });
  await take(page, "studio-phone");
}

const executable = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
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
  await addVisits(join(temporary, "vitrine.db"));
  const browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox"],
    env: { ...process.env, FONTCONFIG_FILE: await fetchFonts(join(temporary, "fonts")) },
  });
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
