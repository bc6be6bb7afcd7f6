import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { ACCENT_HUES } from "../../src/html/themes.ts";
import { THEMES } from "../../src/records/page-fields.ts";
import { axeViolations, lookEverywhere, NOTHING, overflow } from "../support/axe.ts";
import { describeInBrowser, type Scheme } from "../support/browser.ts";
import { withValue } from "../support/edit-record.ts";
import { inFrames } from "../support/frames.ts";
import { LUMINANCE } from "../support/luminance.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

const WIDTHS = [320, 390, 768, 1280, 2560];
const SCHEMES: readonly Scheme[] = ["light", "dark"];

/** A place to send visitors to, and a picture to show them, on this machine. */
function neighbour() {
  const asked: { path: string; referer: string | null }[] = [];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="teal"/></svg>`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push({ path: pathname, referer: request.headers.get("Referer") });
      return pathname === "/me.svg"
        ? new Response(svg, { headers: { "Content-Type": "image/svg+xml" } })
        : new Response("<title>You are there</title>", { headers: { "Content-Type": "text/html" } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, [Symbol.asyncDispose]: () => server.stop(true) };
}

function tree(
  slug: string,
  title: string,
  description: string | null,
  links: { label: string; url: string }[],
) {
  return { slug, title, description, links };
}

const LONG = "W".repeat(200);
const ZALGO = `z${"\u0334\u0351\u0308".repeat(40)}`;

const HOSTILE_TREE = tree(
  "hostile",
  `<script>alert(1)</script>"'&${"w".repeat(150)}`,
  `</p><img src=x onerror=alert(2)>\u0001\u001b \u202egnirts ${"x".repeat(3000)}`,
  [
    { label: `"><script>alert(3)</script>`, url: `https://a.example/"><script>alert(4)</script>` },
    { label: `<a href="javascript:alert(5)">x</a>`, url: "https://b.example/'onclick='alert(6)" },
    { label: ZALGO, url: "https://c.example/" },
    { label: "\u202e\u2066 reversed", url: "https://d.example/" },
    { label: LONG, url: `https://${"long-name-".repeat(6)}x.example/` },
    { label: " \u200b", url: `mailto:${"a".repeat(60)}@example.com?subject=<script>` },
  ],
);

function everyTree(picture: string) {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    label: `Link number ${index + 1}`,
    url: `https://site${index}.example/`,
  }));
  const record = {
    ...writtenRecord(),
    linkTrees: [
      ...writtenRecord().linkTrees,
      HOSTILE_TREE,
      tree("hundred", "A hundred links", null, hundred),
      tree("rtl", "روابطي المفضلة 🌊", "كل ما أكتبه وأرسمه", [
        { label: "الموقع", url: "https://a.example/" },
        { label: "English", url: "https://b.example/" },
      ]),
    ],
  };
  return withValue(record, "profile.avatarUrl.value", picture);
}

const SLUGS = ["everything-1", "empty-1", "hostile", "hundred", "rtl"];

/** What stands on what. The accent is a mark and a frame; everything else is text. */
const PAIRS = [
  "ink paper",
  "ink glow",
  "ink card",
  "soft paper",
  "soft glow",
  "soft card",
  "accent card",
  "accent paper",
  "accent glow",
];

/** Every hue that a page can have, by its class. */
const HUE_CLASSES = [
  ...Array.from({ length: 8 }, (_, index) => `h${index}`),
  ...Array.from({ length: ACCENT_HUES }, (_, index) => `a${index}`),
  "h1 grey",
];

/** Runs in the page: the contrast of every pair in every hue, by the definition in WCAG 2.2. */
const LEAST_CONTRAST = `(() => {${LUMINANCE}
  const found = {};
  for (const hue of ${JSON.stringify(HUE_CLASSES)}) {
    document.body.className = hue;
    const style = getComputedStyle(document.body);
    for (const pair of ${JSON.stringify(PAIRS)}) {
      const [one, other] = pair.split(" ").map((name) => luminance(style.getPropertyValue("--" + name)));
      found[pair + " " + hue] = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }
  }
  return found;
})()`;

/** Runs in the page: the least contrast with white of all that is text or an icon, by the kind of its element. */
const LEAST_ON_WHITE = `(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const found = {};
  for (const element of document.querySelectorAll("h1, .title, .words, h2, bdi, small, a > svg")) {
    context.fillStyle = getComputedStyle(element).color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    const ratio = 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
    found[element.localName] = Math.min(found[element.localName] ?? 21, ratio);
  }
  return found;
})()`;

/** Runs in the page: the contrast of each pair in the colours that the page has. */
const OWN_CONTRASTS = `(() => {${LUMINANCE}
  const style = getComputedStyle(document.body);
  return Object.fromEntries(${JSON.stringify(PAIRS)}.map((pair) => {
    const [one, other] = pair.split(" ").map((name) => luminance(style.getPropertyValue("--" + name)));
    return [pair, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)];
  }));
})()`;

/** Runs in the page: the words of one of its texts that stand in more than one line. */
const brokenWords = (selector: string) => `(() => {
  const text = document.querySelector("${selector}").firstChild;
  return [...text.data.matchAll(/[^ -]+/g)].map(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? word : "";
  }).filter(Boolean);
})()`;

/** Runs in the page: how far its colour for the browser around it is from a pixel, in the part that differs most. */
const offThemeColour = (pixel: Buffer) => `(async () => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64,${pixel.toString("base64")}")).blob());
  const context = new OffscreenCanvas(2, 1).getContext("2d");
  context.drawImage(image, 0, 0);
  const isMeant = ({ media }) => media === "" || matchMedia(media).matches;
  context.fillStyle = [...document.querySelectorAll("meta[name=theme-color]")].find(isMeant).content;
  context.fillRect(1, 0, 1, 1);
  const parts = [...context.getImageData(0, 0, 2, 1).data];
  return Math.max(...[0, 1, 2].map((part) => Math.abs(parts[part] - parts[part + 4])));
})()`;

/** How far the letter in a picture of a face is from its middle, in parts of the picture: down, and to the right. */
function offCentre(page: Page, face: Buffer): Promise<number[]> {
  return page.evaluate(`(async () => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64,${face.toString("base64")}")).blob());
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const at = (x, y) => [...context.getImageData(x, y, 1, 1).data];
    const ground = at(width / 2, Math.round(height * 0.2));
    const [rows, columns] = [[], []];
    for (let y = Math.round(height * 0.2); y < height * 0.8; y++)
      for (let x = Math.round(width * 0.2); x < width * 0.8; x++)
        if (at(x, y).some((part, index) => Math.abs(part - ground[index]) > 90)) rows.push(y), columns.push(x);
    const middle = (all) => (Math.min(...all) + Math.max(...all) + 1) / 2;
    return [middle(rows) / height - 0.5, middle(columns) / width - 0.5];
  })()`);
}

/** How many pixels two pictures differ by, where the edge of a letter may lie a little elsewhere. */
function differingPixels(page: Page, pictures: readonly Buffer[]): Promise<number> {
  const urls = pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`);
  return page.evaluate(`(async () => {
    const pixels = async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [one, other] = await Promise.all(${JSON.stringify(urls)}.map(pixels));
    let found = Math.abs(one.length - other.length);
    for (let at = 0; at < one.length; at += 4) if (Math.abs(one[at] - other[at]) > 64) found++;
    return found;
  })()`);
}

/** Puts another page of the server in the place of one, where axe stays, which takes longer to load than any page. */
async function replaceBy(page: Page, url: string): Promise<void> {
  await page.setContent(await (await fetch(url)).text());
}

describeInBrowser("in a browser, a page", (open) => {
  test("shows name, picture and links, and asks for nothing but itself, its fonts and the picture", async () => {
    await using near = neighbour();
    const picture = `${near.url}/me.svg`;
    await using server = await startTestServer({ records: [everyTree(picture)] });
    const url = `${server.url}/t/everything-1`;
    await using visitor = await open(url);
    const { page } = visitor;
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Person 1");
    expect(await page.getByRole("navigation", { name: "Links" }).getByRole("link").count()).toBe(2);
    expect(await page.evaluate("document.images[0].naturalWidth > 0")).toBe(true);
    await page.evaluate("document.fonts.ready");
    expect(visitor.requests.filter((one) => !/^data:|\/fonts\//.test(one))).toEqual([url, picture]);
    const fonts = visitor.requests.filter((one) => one.startsWith(`${server.url}/fonts/`));
    expect(fonts.map((one) => /newsreader|instrument-sans/.exec(one)?.[0]).toSorted()).toEqual([
      "instrument-sans",
      "newsreader",
    ]);
    expect(await page.evaluate("document.fonts.check('40px Newsreader')")).toBe(true);
    expect(near.asked).toEqual([{ path: "/me.svg", referer: null }]);
    expect(visitor.complaints).toEqual([]);
  });

  test("takes a click to where the link leads, and the numbers move", async () => {
    await using near = neighbour();
    const record = withValue(
      everyTree(`${near.url}/me.svg`),
      "linkTrees[0].links[0].url",
      `${near.url}/there`,
    );
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/t/everything-1`, { javaScript: false });
    await visitor.page.getByRole("link", { name: "Home" }).click();
    await visitor.page.waitForURL(`${near.url}/there`);
    expect(await visitor.page.title()).toBe("You are there");
    expect(near.asked.find(({ path }) => path === "/there")).toEqual({ path: "/there", referer: null });
    const counts = (await server.counts()).map(({ linkId, count }) => [
      linkId === "" ? "view" : "click",
      count,
    ]);
    expect(counts.toSorted()).toEqual([
      ["click", 1],
      ["view", 1],
    ]);
  });

  test("can be used with the keyboard alone, and shows where the focus is", async () => {
    await using near = neighbour();
    const record = withValue(
      everyTree(`${near.url}/me.svg`),
      "linkTrees[0].links[1].url",
      `${near.url}/second`,
    );
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/t/everything-1`);
    // Three addresses come before the links.
    for (let stop = 0; stop < 5; stop++) await visitor.page.keyboard.press("Tab");
    const outline = await visitor.page.evaluate("getComputedStyle(document.activeElement).outlineWidth");
    expect(outline).toBe("3px");
    await visitor.page.keyboard.press("Enter");
    await visitor.page.waitForURL(`${near.url}/second`);
  });

  test("runs nothing of what its author wrote, and keeps it in its place, at every width", async () => {
    await using near = neighbour();
    await using server = await startTestServer({ records: [everyTree(`${near.url}/me.svg`)] });
    for (const width of WIDTHS) {
      await using visitor = await open(`${server.url}/t/hostile`, { width });
      expect(await overflow(visitor.page)).toBeLessThanOrEqual(0);
      expect(await visitor.page.evaluate("[...document.scripts].map(({ type }) => type)")).toEqual([
        "application/ld+json",
      ]);
      expect(await visitor.page.evaluate("document.images.length")).toBe(2);
      expect(await visitor.page.getByRole("listitem").count()).toBe(HOSTILE_TREE.links.length);
      const heights = (await visitor.page.evaluate(
        "[...document.querySelectorAll('li')].map((item) => item.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])",
      )) as [number, number][];
      for (const [index, [top]] of heights.entries())
        if (index > 0) expect(top).toBeGreaterThanOrEqual(heights[index - 1]?.[1] ?? 0);
      expect(visitor.complaints).toEqual([]);
    }
  });

  test("fits every width, with a hundred links and with none, from the left and from the right", async () => {
    await using near = neighbour();
    await using server = await startTestServer({ records: [everyTree(`${near.url}/me.svg`)] });
    for (const slug of SLUGS) {
      await using visitor = await open(`${server.url}/t/${slug}`);
      for (const width of WIDTHS) {
        await visitor.page.setViewportSize({ width, height: 800 });
        const sticksOut = Math.max(await overflow(visitor.page), 0);
        expect({ slug, width, sticksOut }).toEqual({ slug, width, sticksOut: 0 });
      }
    }
  });

  test("shows the first letter of the name where the picture cannot be had, just as where there is none", async () => {
    const without = withValue(everyTree("http://127.0.0.1:9/me.png"), "profile.avatarUrl.isPublic", false);
    const looks: Buffer[] = [];
    for (const record of [everyTree("http://127.0.0.1:9/me.png"), without]) {
      await using server = await startTestServer({ records: [record] });
      await using visitor = await open(`${server.url}/t/everything-1`, { javaScript: false });
      await visitor.page.waitForLoadState("networkidle");
      looks.push(await visitor.page.locator(".face").screenshot());
    }
    await using viewer = await open("about:blank");
    expect(await differingPixels(viewer.page, looks)).toBeLessThan(50);
  });

  test("shows a code to scan when it is asked for, and not before", async () => {
    await using server = await startTestServer();
    await using visitor = await open(`${server.url}/t/everything-1`);
    const isAsked = () => visitor.requests.includes(`${server.url}/qr/everything-1.svg`);
    expect(isAsked()).toBe(false);
    const asked = visitor.page.waitForResponse("**/qr/everything-1.svg");
    await visitor.page.getByText("QR code").click();
    expect((await asked).status()).toBe(200);
    expect(visitor.complaints.filter((one) => !one.includes("ERR_NAME_NOT_RESOLVED"))).toEqual([]);
  });

  test("fills a wide window with few links as with many, and has no stretched box with none", async () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        label: `Link ${index}`,
        url: `https://a${index}.example/`,
      }));
    const record = {
      ...writtenRecord(),
      linkTrees: [0, 3, 30, 1000].map((count) => tree(`with-${count}`, "Title", "Words", links(count))),
    };
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/t/with-0`, { width: 1280 });
    const { page } = visitor;
    const box = async (selector: string) => {
      const found = await page.locator(selector).first().boundingBox();
      if (!found) throw new Error(`no ${selector}`);
      return found;
    };
    expect((await box(".empty")).height).toBeLessThan(120);
    await page.goto(`${server.url}/t/with-3`);
    const [few, name] = [await box("nav"), await box("h1")];
    expect(Math.abs(few.x + few.width / 2 - 640)).toBeLessThan(10);
    expect(name.y + name.height).toBeLessThan(few.y);
    for (const count of [30, 1000]) {
      await page.goto(`${server.url}/t/with-${count}`);
      const [many, header] = [await box("nav"), await box("header")];
      expect(header.x + header.width).toBeLessThan(many.x);
      await page.evaluate("scrollTo(0, 900)");
      expect((await box("h1")).y).toBeGreaterThan(0);
    }
  });

  test("pins what stands beside many links only where all of it is in the window", async () => {
    const links = Array.from({ length: 30 }, (_, index) => ({
      label: `${index}`,
      url: "https://a.example/",
    }));
    const described = {
      short: ["A title", "Words"],
      usual: ["A title of some length, for some links", "Words in a sentence or two. ".repeat(5).trim()],
      long: ["Words ".repeat(33).trim(), "Words ".repeat(65).trim()],
      narrow: ["A title", "a\nb\n".repeat(60).trim()],
      wide: ["私のリンク集", "長い文章を書いて改行を確かめる。".repeat(20)],
    };
    // One of each width of letters.
    const themes = ["paper", "bold", "terminal"];
    const linkTrees = themes.flatMap((theme) =>
      Object.entries(described).map(([kind, [title = "", words = ""]]) => ({
        ...tree(`${kind}-${theme}`, title, words, links),
        look: { theme },
      })),
    );
    const names = [
      "Mira Solberg",
      "Maria Magdalena Theresia von und zu Hohenlohe-Waldenburg-Schillingsfürst",
      "Nguyễn Thị Hồng Nhung",
      "Thea von der Au",
    ];
    const records = names.map((name, person) => {
      const trees = linkTrees.map((one) => ({ ...one, slug: `${one.slug}-${person}` }));
      const record = { ...writtenRecord(person + 1), linkTrees: trees };
      return withValue(withValue(record, "profile.name.value", name), "profile.avatarUrl.value", null);
    });
    await using server = await startTestServer({ records });
    await using visitor = await open(`${server.url}/t/short-paper-0`, { width: 1280, bypassPolicy: true });
    const slugs = linkTrees.flatMap(({ slug }) => names.map((_, person) => `${slug}-${person}`));
    const sizes = [500, 704, 800].map((height) => ({ width: 1280, height }));
    const headers = await inFrames<{ isPinned: boolean; end: number }>(
      visitor.page,
      slugs.map((slug) => `/t/${slug}`),
      sizes,
      "(({ position, top }, { height }) => ({ isPinned: position === 'sticky', end: parseFloat(top) + height }))(getComputedStyle(document.querySelector('header')), document.querySelector('header').getBoundingClientRect())",
    );
    const pinned = new Set<string>();
    for (const [which, slug] of slugs.entries())
      for (const [index, { height }] of sizes.entries()) {
        const header = headers[which]?.[index];
        if (header?.isPinned === false) continue;
        pinned.add(`${slug} ${height}`);
        expect({ slug, height, fits: (header?.end ?? Infinity) <= height }).toEqual({
          slug,
          height,
          fits: true,
        });
      }
    const expected = themes.flatMap((theme) => [`short-${theme}-0 704`, `usual-${theme}-0 704`]);
    expect([...pinned]).toEqual(expect.arrayContaining(expected));
  });

  const TYPES = { paper: "Newsreader", plain: "Instrument Sans" } as const;
  test.each([
    ["Mira Œuvre", ["paper", "plain"], false],
    ["Анна ❤️", ["paper", "plain"], false],
    ["Łucja Gęś", ["paper"], false],
    ["Ion Șerban", ["paper"], false],
    ["Nguyễn Thị", [], true],
    ["Əli", [], true],
    ["สมชาย ใจดี", [], true],
  ])(
    "sets %p in our type in the themes %p, where that has its letters, and with room for marks: %p",
    async (name, ours, isRoomy) => {
      const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, []), look: { theme } }));
      const record = withValue({ ...writtenRecord(), linkTrees }, "profile.name.value", name);
      await using server = await startTestServer({ records: [record] });
      await using visitor = await open(`${server.url}/p/person-1`);
      const headline = async () =>
        (await visitor.page.evaluate(
          "(({ fontFamily, lineHeight, fontSize }) => ({ fonts: fontFamily, leading: parseFloat(lineHeight) / parseFloat(fontSize) }))(getComputedStyle(document.querySelector('h1')))",
        )) as { fonts: string; leading: number };
      expect((await headline()).leading > 1.25).toBe(isRoomy);
      for (const theme of THEMES) {
        await visitor.page.goto(`${server.url}/t/${theme}`);
        const { fonts, leading } = await headline();
        expect({ theme, isRoomy: leading > 1.25 }).toEqual({ theme, isRoomy });
        if (theme !== "paper" && theme !== "plain") continue;
        expect({ theme, isOurs: fonts.includes(TYPES[theme]) }).toEqual({
          theme,
          isOurs: ours.includes(theme),
        });
      }
    },
  );

  test.each([
    "Ελένη Παπαδοπούλου",
    "Subrahmanyan Chandrasekhar",
    "Anna-Lena Wiśniewska",
    "midnightferryorchestra",
  ])("breaks no word of the name %p, on a phone and beside many links, in every theme", async (name) => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ label: `${index}`, url: "https://a.example/" }));
    const linkTrees = THEMES.flatMap((theme) =>
      [1, 8].map((count) => ({ ...tree(`${theme}-${count}`, "Title", null, links(count)), look: { theme } })),
    );
    const record = withValue({ ...writtenRecord(), linkTrees }, "profile.name.value", name);
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/p/person-1`, { bypassPolicy: true });
    const paths = ["/p/person-1", ...linkTrees.map(({ slug }) => `/t/${slug}`)];
    const sizes = [320, 390, 1280].map((width) => ({ width, height: 800 }));
    const words = await inFrames<string[]>(visitor.page, paths, sizes, brokenWords("h1"));
    expect(words.map((said, index) => [paths[index], ...said])).toEqual(
      paths.map((path) => [path, ...sizes.map(() => [])]),
    );
  });

  test("keeps the words of its links whole on the smallest phone with letters of twice the size, in every theme", async () => {
    const links = [{ label: "Website", url: "https://a.example/" }];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, links), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/paper`, { width: 320 });
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      await visitor.page.evaluate("document.documentElement.style.fontSize = '32px'");
      await visitor.page.evaluate("document.fonts.ready.then(() => undefined)");
      const broken = await visitor.page.evaluate(brokenWords("li bdi"));
      expect({ theme, broken, sticksOut: await overflow(visitor.page) }).toEqual({
        theme,
        broken: [],
        sticksOut: 0,
      });
    }
  });

  test("shows in forced colours what a link is, in every theme: by a frame, a rule or an underline", async () => {
    const links = [{ label: "Website", url: "https://a.example/" }];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, links), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/paper`);
    await visitor.page.emulateMedia({ forcedColors: "active" });
    const shown: Record<string, unknown> = {};
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      shown[theme] = await visitor.page.evaluate(
        "((link) => parseFloat(getComputedStyle(link).borderBottomWidth) > 0 || getComputedStyle(link.querySelector('bdi')).textDecorationLine === 'underline')(document.querySelector('li a'))",
      );
    }
    expect(shown).toEqual(Object.fromEntries(THEMES.map((theme) => [theme, true])));
  });

  test("lifts no link where nothing can be held above it", async () => {
    const links = [{ label: "Website", url: "https://a.example/" }];
    const record = { ...writtenRecord(), linkTrees: [tree("one", "Title", null, links)] };
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/t/one`);
    const session = await visitor.page.context().newCDPSession(visitor.page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
    await visitor.page.locator("li a").hover();
    await visitor.page.evaluate(
      "Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)",
    );
    const style = await visitor.page.evaluate(
      "(({ transform }) => ({ transform }))(getComputedStyle(document.querySelector('li a')))",
    );
    expect(style).toEqual({ transform: "none" });
  });

  test("marks no address that was tapped, where nothing can be held above it, in every theme", async () => {
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, []), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/p/person-1`);
    const session = await visitor.page.context().newCDPSession(visitor.page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
    const marked: string[] = [];
    for (const path of ["/p/person-1", ...THEMES.map((theme) => `/t/${theme}`)]) {
      await visitor.page.goto(server.url + path);
      await visitor.page.locator("a[rel=me]").first().hover();
      await visitor.page.evaluate(
        "Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)",
      );
      const looks = (await visitor.page.evaluate(
        "[...document.querySelectorAll('a[rel=me]')].map((one) => [one, one.lastChild].map((part) => getComputedStyle(part)).map(({ backgroundColor, textDecorationLine }) => backgroundColor + ' ' + textDecorationLine).join())",
      )) as string[];
      if (new Set(looks).size > 1) marked.push(path);
    }
    expect(marked).toEqual([]);
  });

  test("gives a label that takes two lines two of a length", async () => {
    const links = [{ label: "Latest talk: maps without a network", url: "https://a.example/" }];
    const record = { ...writtenRecord(), linkTrees: [tree("one", "Title", null, links)] };
    await using server = await startTestServer({ records: [record] });
    await using visitor = await open(`${server.url}/t/one`);
    await visitor.page.evaluate("document.fonts.ready.then(() => undefined)");
    const widths = (await visitor.page.evaluate(
      "((range) => (range.selectNodeContents(document.querySelector('li bdi')), [...range.getClientRects()].map(({ width }) => width)))(document.createRange())",
    )) as number[];
    expect(widths).toHaveLength(2);
    expect(Math.min(...widths) / Math.max(...widths)).toBeGreaterThan(0.7);
  });

  test("shows a picture on white in the dark too, but in the themes that always are dark", async () => {
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, []), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/paper`, { scheme: "dark" });
    const onWhite: string[] = [];
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      const ground = await visitor.page.evaluate(
        "getComputedStyle(document.querySelector('.face img')).backgroundColor",
      );
      if (ground === "rgb(255, 255, 255)") onWhite.push(theme);
    }
    expect(onWhite).toEqual(["paper", "ink", "plain", "bold"]);
  });

  test("has the browser around it in the colour of its top, in every theme, light and dark", async () => {
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, []), look: { theme } }));
    const record = { ...writtenRecord(), linkTrees: [...linkTrees, tree("unchosen", "Title", null, [])] };
    await using server = await startTestServer({ records: [record] });
    for (const scheme of SCHEMES) {
      await using visitor = await open(`${server.url}/p/person-1`, { scheme, bypassPolicy: true });
      const { page } = visitor;
      for (const path of ["/p/person-1", "/t/unchosen", ...THEMES.map((theme) => `/t/${theme}`)]) {
        await page.goto(server.url + path);
        const top = await page.screenshot({ clip: { x: 195, y: 0, width: 1, height: 1 } });
        const off = (await page.evaluate(offThemeColour(top))) as number;
        expect({ scheme, path, isSame: off < 4, off }).toEqual({ scheme, path, isSame: true, off });
      }
    }
  });

  test("leaves room for marks between the lines of a name that runs from right to left, in every theme", async () => {
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "روابطي", null, []), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/paper`);
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      const [leading, spacing] = (await visitor.page.evaluate(
        "(({ lineHeight, fontSize, letterSpacing }) => [parseFloat(lineHeight) / parseFloat(fontSize), parseFloat(letterSpacing) || 0])(getComputedStyle(document.querySelector('h1')))",
      )) as [number, number];
      expect({ theme, isRoomy: leading > 1.25, spacing }).toEqual({ theme, isRoomy: true, spacing: 0 });
    }
  });

  test("has the first letter of a name in the middle of its place, in every theme", async () => {
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, []), look: { theme } }));
    const record = withValue({ ...writtenRecord(), linkTrees }, "profile.avatarUrl.value", null);
    const named = withValue(record, "profile.name.value", "Hedda");
    await using server = await startTestServer({ records: [named] });
    await using visitor = await open(`${server.url}/t/paper`, { bypassPolicy: true });
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      await visitor.page.evaluate("document.fonts.ready.then(() => undefined)");
      const found = await offCentre(visitor.page, await visitor.page.locator(".face").screenshot());
      const isCentred = found.every((part) => Math.abs(part) < 0.025);
      expect({ theme, isCentred, found }).toEqual({ theme, isCentred: true, found });
    }
  });

  test("is found accessible by axe in every theme, at every width, light, dark and in forced colours", async () => {
    const links = [
      { label: "Code", url: "https://github.com/a", section: "Work" },
      { label: "Write", url: "mailto:a@example.com" },
    ];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", "Words", links), look: { theme } }));
    const unchosen = tree("unchosen", "Title", "Words", links);
    const record = { ...writtenRecord(), linkTrees: [...linkTrees, unchosen] };
    const withoutPicture = withValue(record, "profile.avatarUrl.value", null);
    await using server = await startTestServer({ records: [withoutPicture] });
    await using visitor = await open(`${server.url}/t/unchosen`, { bypassPolicy: true });
    for (const slug of [...THEMES, "unchosen"]) {
      await replaceBy(visitor.page, `${server.url}/t/${slug}`);
      expect({ slug, found: await lookEverywhere(visitor.page) }).toEqual({ slug, found: NOTHING });
    }
  });

  test("has greys in a browser that does not know how its colours are written, light and dark, in every theme", async () => {
    const links = [{ label: "Website", url: "https://a.example/" }];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, links), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    for (const scheme of SCHEMES) {
      await using visitor = await open(`${server.url}/p/person-1`, { scheme, bypassPolicy: true });
      const { page } = visitor;
      await page.route(/\/[pt]\//, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll("oklch(", "unknown(") });
      });
      for (const path of ["/p/person-1", ...THEMES.map((theme) => `/t/${theme}`)]) {
        await page.goto(server.url + path);
        const contrasts = (await page.evaluate(OWN_CONTRASTS)) as Record<string, number>;
        const faint = Object.entries(contrasts).filter(([, ratio]) => !(ratio >= 4.5));
        expect({ scheme, path, faint }).toEqual({ scheme, path, faint: [] });
      }
    }
  });

  test("says on paper where its links and addresses lead, and not to which host alone, in every theme", async () => {
    const links = [
      { label: "Code", url: "https://github.com/person1/kite?tab=readme&x=1#top" },
      { label: "", url: "https://video.example/person1" },
      { label: "Write", url: "mailto:person1@example.com?subject=Hi" },
      { label: "", url: "tel:+15550100" },
    ];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", null, links), look: { theme } }));
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/paper`);
    await visitor.page.emulateMedia({ media: "print" });
    for (const theme of THEMES) {
      await visitor.page.goto(`${server.url}/t/${theme}`);
      const shown = await visitor.page.evaluate(
        "[...document.querySelectorAll('.me a, li a')].map((link) => [link.innerText.trim().split(/\\n+/), getComputedStyle(link, '::after').content].flat())",
      );
      expect({ theme, shown }).toEqual({
        theme,
        shown: [
          ["", '"https://person1.example/"'],
          ["", '"https://codehost.example/person1"'],
          ["", '"https://video.example/person1"'],
          ["Code", '"https://github.com/person1/kite?tab=readme&x=1#top"'],
          ["video.example", '"https://video.example/person1"'],
          ["Write", "person1@example.com", "none"],
          ["+15550100", "none"],
        ],
      });
    }
  });

  test("has all of its icons on wide paper, beside the edge of which a printer would cut them off", async () => {
    const links = Array.from({ length: 9 }, (_, index) => ({
      label: `Link ${index}`,
      url: "https://a.example/",
    }));
    const linkTrees = [tree("many", "Title", null, links)];
    await using server = await startTestServer({ records: [{ ...writtenRecord(), linkTrees }] });
    await using visitor = await open(`${server.url}/t/many`, { width: 1000 });
    await visitor.page.emulateMedia({ media: "print" });
    const [edge, icon] = (await visitor.page.evaluate(
      "['main', '.me svg'].map((part) => document.querySelector(part).getBoundingClientRect().left)",
    )) as [number, number];
    expect(icon).toBeGreaterThanOrEqual(edge);
  });

  // A reader may print backgrounds or not, so nothing that is read may need one.
  test("is dark on white on paper, in every theme, light and dark", async () => {
    const links = [{ label: "Code", url: "https://github.com/a", section: "Work" }];
    const linkTrees = THEMES.map((theme) => ({ ...tree(theme, "Title", "Words", links), look: { theme } }));
    const record = {
      ...writtenRecord(),
      linkTrees: [...linkTrees, tree("unchosen", "Title", "Words", links)],
    };
    await using server = await startTestServer({ records: [record] });
    for (const scheme of SCHEMES) {
      await using visitor = await open(`${server.url}/t/unchosen`, { scheme });
      await visitor.page.emulateMedia({ media: "print" });
      for (const slug of [...THEMES, "unchosen"]) {
        await visitor.page.goto(`${server.url}/t/${slug}`);
        const least = (await visitor.page.evaluate(LEAST_ON_WHITE)) as Record<string, number>;
        const faint = Object.entries(least).filter(([, ratio]) => ratio < 4.5);
        const backgrounds = await visitor.page.evaluate(
          "['body', 'li a'].map((one) => getComputedStyle(document.querySelector(one))).map(({ backgroundColor, backgroundImage }) => backgroundColor + ' ' + backgroundImage)",
        );
        expect({ scheme, slug, parts: Object.keys(least).length, faint, backgrounds }).toEqual({
          scheme,
          slug,
          parts: 6,
          faint: [],
          backgrounds: ["rgba(0, 0, 0, 0) none", "rgba(0, 0, 0, 0) none"],
        });
      }
    }
  });

  for (const scheme of SCHEMES) {
    test(`is found accessible by axe, ${scheme}, narrow and wide`, async () => {
      await using near = neighbour();
      await using server = await startTestServer({ records: [everyTree(`${near.url}/me.svg`)] });
      const paths = SLUGS.filter((slug) => slug !== "hundred").map((slug) => `/t/${slug}`);
      await using visitor = await open(server.url, { scheme, bypassPolicy: true });
      for (const path of [...paths, "/", "/t/nowhere"]) {
        await replaceBy(visitor.page, server.url + path);
        for (const width of [320, 1280]) {
          await visitor.page.setViewportSize({ width, height: 800 });
          expect({ path, width, found: await axeViolations(visitor.page) }).toEqual({
            path,
            width,
            found: [],
          });
        }
      }
    });

    // Axe does not judge text on a gradient, so every pair of colours is held to WCAG's formula as well.
    test(`has text of enough contrast in each of its colours, ${scheme}`, async () => {
      await using server = await startTestServer();
      await using visitor = await open(`${server.url}/t/everything-1`, { scheme, bypassPolicy: true });
      const least = (await visitor.page.evaluate(LEAST_CONTRAST)) as Record<string, number>;
      expect(Object.keys(least)).toHaveLength(HUE_CLASSES.length * PAIRS.length);
      for (const [pair, ratio] of Object.entries(least)) {
        const wanted = pair.includes("accent") ? 3 : 4.5;
        expect({ pair, enough: ratio >= wanted, ratio }).toEqual({ pair, enough: true, ratio });
      }
    });
  }
});
