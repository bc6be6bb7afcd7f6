import { expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "yaml";
import { lookEverywhere, NOTHING } from "../support/axe.ts";
import { describeInBrowser } from "../support/browser.ts";
import { LUMINANCE } from "../support/luminance.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

const sample = parse(await Bun.file(new URL("../../sample/profile.yaml", import.meta.url)).text());
const short = { ...sample, profile: { ...sample.profile, avatarUrl: { isPublic: false, value: null } } };

/** The same person after a long life. */
const long = {
  ...short,
  email: "long@example.com",
  codehostId: 2,
  profile: { ...short.profile, slug: "long" },
  jobs: Array.from({ length: 24 }, (_, index) => ({
    ...sample.jobs[0],
    id: `job-${index}`,
    title: `Job ${index}`,
    description: "Charts for ferries, fishers and kayakers, from survey to print. ".repeat(6),
  })),
  projects: [],
  linkTrees: [],
};

/** The pages of a PDF, by the objects that Chromium writes one of for each. */
function pagesIn(pdf: Buffer): number {
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Runs in the page: the contrast of the lines below links with what the page lies on, by the definition in WCAG 2.2. */
const LINE_CONTRASTS = `(() => {${LUMINANCE}
  const ground = luminance(getComputedStyle(document.body).getPropertyValue("--paper"));
  const links = [...document.querySelectorAll(".keep a, .where a, .trees a")];
  return Object.fromEntries(links.map((link) => {
    const line = luminance(getComputedStyle(link).textDecorationColor);
    return [link.textContent, (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05)];
  }));
})()`;

/** Runs in the page: how many pixels differ between two pictures of the same size. */
const DIFFERENCE = `async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (picture) => {
    const image = new Image();
    image.src = "data:image/png;base64," + picture;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  }));
  return one.reduce((sum, pixel, at) => sum + (pixel === other[at] ? 0 : 1), 0);
}`;

describeInBrowser("in a browser, the page of a profile", (open) => {
  test("is found accessible by axe, and sticks out nowhere, at every width, light, dark and in forced colours", async () => {
    await using server = await startTestServer({ records: [short] });
    await using visitor = await open(`${server.url}/p/mira-solberg`, { bypassPolicy: true });
    expect(await lookEverywhere(visitor.page)).toEqual(NOTHING);
  });

  test("underlines its links so that they are seen, light and dark", async () => {
    await using server = await startTestServer({ records: [short] });
    for (const scheme of ["light", "dark"] as const) {
      await using visitor = await open(`${server.url}/p/mira-solberg`, { scheme });
      const contrasts = (await visitor.page.evaluate(LINE_CONTRASTS)) as Record<string, number>;
      expect(Object.keys(contrasts)).toEqual(
        expect.arrayContaining(["Save contact", "Fjordkart", "Source", "Find me"]),
      );
      expect(Math.min(...Object.values(contrasts))).toBeGreaterThan(3);
    }
  });

  test("keeps its addresses whole on a phone with letters of twice the size", async () => {
    await using server = await startTestServer({ records: [short] });
    await using visitor = await open(`${server.url}/p/mira-solberg`);
    const { page } = visitor;
    await page.evaluate("document.documentElement.style.fontSize = '32px'");
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    const lines = (await page.evaluate(
      "[...document.querySelectorAll('.ways span')].map((one) => [one.textContent, Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))])",
    )) as [string, number][];
    expect(lines).toEqual(lines.map(([address]) => [address, 1]));
  });

  test("shows the whole frame around a link that has the focus", async () => {
    await using server = await startTestServer({ records: [short] });
    await using visitor = await open(`${server.url}/p/mira-solberg`);
    const { page } = visitor;
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    for (const kind of [".ways a", ".keep a", ".where a", ".trees a"]) {
      const link = page.locator(kind).first();
      await link.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await link.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const clip = { x: x - 10, y: y - 10, width: width + 20, height: height + 20 };
      const shot = async () => (await page.screenshot({ clip })).toString("base64");
      const before = await shot();
      await page.keyboard.press("Tab");
      await link.focus();
      const difference = (await page.evaluate(
        `(${DIFFERENCE})(${JSON.stringify([before, await shot()])})`,
      )) as number;
      // Three pixels wide, and three away from the link.
      const frame = (width + 12) * (height + 12) - (width + 6) * (height + 6);
      expect({ kind, isWhole: difference > 0.9 * frame }).toEqual({ kind, isWhole: true });
      await link.blur();
    }
  });

  test("keeps the person in sight beside many jobs, to the end of what is said, in a low window too", async () => {
    await using server = await startTestServer({ records: [short, long] });
    await using visitor = await open(`${server.url}/p/long`, { width: 1280 });
    const { page } = visitor;
    for (const height of [800, 400]) {
      await page.setViewportSize({ width: 1280, height });
      await page.evaluate("scrollTo(0, 0)");
      expect((await page.locator("header .face").boundingBox())?.y).toBeWithin(0, 100);
      await page.evaluate("scrollTo(0, 1500)");
      expect((await page.locator("header .keep").boundingBox())?.y).toBeWithin(0, height);
    }
    expect((await page.locator("h1").boundingBox())?.y).toBeLessThan(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect((await page.locator("h1").boundingBox())?.y).toBeWithin(0, 400);
    // All of it is there where the window has just the room.
    const end = (await page.locator("header .keep").boundingBox()) ?? { y: 0, height: 0 };
    const start = (await page.locator("header .face").boundingBox())?.y ?? 0;
    await page.setViewportSize({ width: 1280, height: Math.ceil(end.y + end.height - start) + 40 });
    expect((await page.locator("header .face").boundingBox())?.y).toBeWithin(8, 24);
    // Nobody has to scroll for it where there is little to show.
    await page.setViewportSize({ width: 1280, height: 2000 });
    await page.goto(`${server.url}/p/mira-solberg`);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(2000);
  });

  test("complains of nothing", async () => {
    await using server = await startTestServer({ records: [short] });
    await using visitor = await open(`${server.url}/p/mira-solberg`);
    expect(visitor.complaints).toEqual([]);
  });

  test("is a résumé on paper: of one page where it is short, and of several where it is long", async () => {
    await using server = await startTestServer({ records: [short, long] });
    await using visitor = await open(`${server.url}/p/mira-solberg`);
    expect(pagesIn(await visitor.page.pdf({ format: "A4" }))).toBe(1);
    expect(pagesIn(await visitor.page.pdf({ format: "Letter" }))).toBe(1);
    await visitor.page.goto(`${server.url}/p/long`);
    const pages = pagesIn(await visitor.page.pdf({ format: "A4" }));
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThan(5);
    await visitor.page.emulateMedia({ media: "print" });
    const breaks = await visitor.page.evaluate(
      "[...document.querySelectorAll('.entries li, h2')].map((one) => getComputedStyle(one)).map(({ breakInside, breakAfter }) => breakInside + ' ' + breakAfter)",
    );
    expect(new Set(breaks as string[])).toEqual(new Set(["auto avoid", "avoid auto"]));
  });

  test("says on paper where its addresses lead, and not to which host alone", async () => {
    await using server = await startTestServer({ records: [short] });
    await using visitor = await open(`${server.url}/p/mira-solberg`);
    const { page } = visitor;
    await page.emulateMedia({ media: "print" });
    const addresses = (await page.evaluate(
      "[...document.querySelectorAll('.ways a[rel], .where a[data-place]')].map((link) => [link.getAttribute('href'), getComputedStyle(link, '::after').content])",
    )) as [string, string][];
    expect(addresses.length).toBeGreaterThan(3);
    for (const [href, shown] of addresses) expect(shown).toBe(JSON.stringify(href));
    expect(await page.locator(".ways a[rel] span:visible").count()).toBe(0);
  });

  test("says on paper where its link trees are, where the server knows its address", async () => {
    const shownAt = async (publicUrl: string) => {
      await using server = await startTestServer({ records: [short], publicUrl });
      await using visitor = await open(`${server.url}/p/mira-solberg`);
      await visitor.page.emulateMedia({ media: "print" });
      return await visitor.page.evaluate(
        "[...document.querySelectorAll('.trees a')].map((link) => getComputedStyle(link, '::after').content)",
      );
    };
    expect(await shownAt("https://links.example")).toEqual([
      '"https://links.example/t/mira"',
      '"https://links.example/t/maps-for-small-boats"',
    ]);
    expect(await shownAt("")).toEqual(["none", "none"]);
  });
});
