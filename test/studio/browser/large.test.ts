import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "../../support/browser.ts";
import { enterAsOwner, goTo, homelyRecord, save, startPagedStudio } from "../../support/studio-visitor.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(300_000);

const KEYSTROKES = 20;

/** A hundred times as much to edit may cost this many times as much for a keystroke. It costs the same, but for noise. */
const MOST_TIMES = 5;

/** Scrolls, and lets the page draw what is then in sight: that is when it makes the rows. */
const SCROLL_TO_LAST = `
  document.querySelector(".links .rows").lastElementChild.scrollIntoView();
  new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`;

/** What typing costs the page's thread in scripts. Time of the processor: others are busy, too. */
async function costOfTyping(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0;
  };
  const before = await spent();
  for (let count = 0; count < KEYSTROKES; count++) await page.keyboard.press("x");
  return (await spent()) - before;
}

function largeRecord() {
  const record = homelyRecord(1);
  const [job] = record.jobs;
  const [tree] = record.linkTrees;
  const links = Array.from({ length: 2000 }, (_, number) => ({
    label: `Link number ${number}`,
    url: `https://site${number}.example/`,
  }));
  const jobs = Array.from({ length: 200 }, (_, number) => ({
    ...job,
    id: `job-${number}`,
    title: `Job ${number}`,
  }));
  return { ...record, projects: [], jobs, linkTrees: [{ ...tree, links }] };
}

/** Opens the tree, and takes hold of its first link. Returns where that was. */
async function holdFirstLink(page: Page) {
  await goTo(page, "Link trees");
  await page.getByRole("link", { name: "Everything" }).click();
  const handle = page.getByRole("button", { name: "Move Link number 0, 1 of 2000" });
  await handle.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await handle.boundingBox();
  if (!box) throw new Error("there is no handle");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  return box;
}

describeInBrowser("in a browser, an owner of 2,000 links and 200 jobs", (open) => {
  test("types without waiting, reaches the last link, and moves it to the top", async () => {
    const typeInLink = async (page: Page) => {
      await goTo(page, "Link trees");
      await page.getByRole("link", { name: "Everything" }).click();
      await page.getByLabel("Label of link 2", { exact: true }).click();
      return costOfTyping(page);
    };
    await using small = await startPagedStudio();
    await using other = await enterAsOwner(open, small, { width: 1280 });
    const most = MOST_TIMES * (await typeInLink(other.page));

    await using studio = await startPagedStudio([largeRecord()]);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    expect(await typeInLink(page)).toBeLessThan(most);
    expect(await page.locator(".link-row").count()).toBeLessThan(200);

    await page.getByLabel("Find a link").fill("number 1999");
    const label = page.getByLabel("Label of link 2000", { exact: true });
    await until("the label is typed", async () => {
      await label.fill("The last");
      return (await label.inputValue()) === "The last";
    });
    await page.getByLabel("Find a link").fill("");
    const handle = page.getByRole("button", { name: "Move The last, 2000 of 2000" });
    // The list grows while it is scrolled, since rows turn out higher or lower than they were thought to be.
    await until("the last link is there", async () => {
      await page.evaluate(SCROLL_TO_LAST);
      return handle.isVisible();
    });
    await handle.press("Home");
    await page.locator(`[aria-label^="Move The last, 1 of 2000"]:focus`).waitFor();

    await goTo(page, "Jobs");
    await page.locator(".entry-head").nth(3).click();
    await page.getByLabel("Title", { exact: true }).click();
    expect(await costOfTyping(page)).toBeLessThan(most);
    await save(page);
    await page.getByLabel("Title", { exact: true }).click();
    expect(await costOfTyping(page)).toBeLessThan(most);
    const { linkTrees } = await studio.record();
    expect(linkTrees[0]?.links[0]?.label).toBe("The last");
    expect(linkTrees[0]?.links).toHaveLength(2000);
  });

  test("drags a link as far as they scroll", async () => {
    await using studio = await startPagedStudio([largeRecord()]);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const from = await holdFirstLink(page);
    const far = page.locator("[data-index='100'][data-drop]");
    await until("the pointer is over a link far below", async () => {
      const row = page.locator("[data-index='100']");
      const box = (await row.count()) > 0 ? await row.boundingBox() : null;
      if (!box || box.y > 600) await page.mouse.wheel(0, 600);
      else await page.mouse.move(from.x + 60, box.y + box.height * 0.9, { steps: 2 });
      return (await far.count()) > 0;
    });
    await page.mouse.up();
    await page.getByRole("button", { name: "Move Link number 0, 101 of 2000" }).waitFor();
  });

  test("drags a link beyond the window, and sees there where it falls", async () => {
    await using studio = await startPagedStudio([largeRecord()]);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const from = await holdFirstLink(page);
    await page.mouse.move(from.x + 5, 840, { steps: 5 });
    const aimed = page.locator("[data-drop]");
    await until("the window has scrolled", async () => (await page.evaluate<number>("scrollY")) > 2000);
    expect((await aimed.boundingBox())?.y).toBeWithin(0, 800);
    await page.mouse.up();
    await page.getByRole("button", { name: "Move Link number 0, 1 of 2000" }).waitFor({ state: "detached" });
    expect(
      await page.evaluate<number>("Number(document.activeElement.closest('[data-index]').dataset.index)"),
    ).toBeGreaterThan(10);
  });
});

describeInBrowser("in a browser, an owner of 300 link trees", (open) => {
  test("has the QR codes drawn that are looked at, and the others once they are", async () => {
    const { linkTrees, ...record } = homelyRecord(1);
    const trees = Array.from({ length: 300 }, (_, number) => ({
      ...linkTrees[0],
      id: `tree-${number}`,
      slug: `tree-${number}`,
    }));
    await using studio = await startPagedStudio([{ ...record, linkTrees: trees }]);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page, requests } = owner;
    await goTo(page, "QR codes");
    await page.getByAltText(/tree-0$/).waitFor();
    await page
      .getByRole("button", { name: /as SVG$/ })
      .last()
      .scrollIntoViewIfNeeded();
    await page.getByAltText(/tree-299$/).waitFor();
    expect(requests.filter((url) => url.includes("format=svg")).length).toBeLessThan(100);
  });
});
