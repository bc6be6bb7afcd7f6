import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
import { describeInBrowser } from "../../support/browser.ts";
import { withValue } from "../../support/edit-record.ts";
import { databaseAt } from "../../support/engines.ts";
import { checkedRecord } from "../../support/records.ts";
import { startTestServer } from "../../support/server.ts";
import { PUBLIC_URL, type TestStudio } from "../../support/studio.ts";
import {
  enterAsOwner,
  goTo,
  homelyRecord,
  save,
  saved,
  startPagedStudio,
} from "../../support/studio-visitor.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(300_000);

/** The API and the pages beside a studio, from the same database. */
function serverBeside({ database }: TestStudio) {
  const create = async () => databaseAt(database.url, async () => {});
  return startTestServer({ engine: { name: "the studio's", create }, records: [] });
}

/** Has a call arrive, and its answer not. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

/** What the element with the focus is called. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );
}

async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", ${JSON.stringify(text)});
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);
}

/** Whether an element is where it can be seen, at least with its upper edge. */
async function isInWindow(element: Locator): Promise<boolean> {
  const { y = -1 } = (await element.boundingBox()) ?? {};
  return y > 0 && y < (element.page().viewportSize()?.height ?? 0);
}

/** Does to a page what Chrome does that translates it: each text is replaced, and what comes later as well. */
const TRANSLATE = `(() => {
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement.closest("font, [translate=no]") || text.data.trim() === "") continue;
      const translation = document.createElement("font");
      translation.textContent = "[" + text.data + "]";
      text.replaceWith(translation);
    }
  };
  translate();
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true });
})()`;

describeInBrowser("in a browser, an owner", (open) => {
  test("edits a link, and the page and the API have it with the next request", async () => {
    await using studio = await startPagedStudio();
    await using server = await serverBeside(studio);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page, complaints } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByLabel("Label of link 1", { exact: true }).fill("My harbour");
    const preview = page.locator("iframe").last().contentFrame();
    await preview.getByText("My harbour").waitFor();
    expect(await page.locator("iframe").last().getAttribute("sandbox")).toBe("");

    const pasted = page.getByLabel("Address of a new link");
    await pasted.fill("harbour.example/map");
    await pasted.press("Enter");
    await page.locator('[id="linkTrees.0.links.0.label"]:focus').waitFor();
    await page.keyboard.type("The map");
    await preview.getByText("The map").waitFor();
    await save(page);

    const html = await (await fetch(`${server.url}/t/everything-1`)).text();
    expect(html).toContain("My harbour");
    const trees = (await (await server.get("/user/linktrees")).json()) as {
      slug: string;
      links: { label: string; url: string }[];
    }[];
    const { links } = trees.find(({ slug }) => slug === "everything-1") ?? { links: [] };
    expect(links.slice(0, 2).map(({ label, url }) => [label, url])).toEqual([
      ["The map", "https://harbour.example/map"],
      ["My harbour", "https://person1.example/"],
    ]);
    expect(complaints).toEqual([]);
  });

  test("chooses how a page looks, groups links and hides one, and sees it at once", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.getByLabel("Language of your pages").selectOption("fr");
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Headings" }).click();
    await page.getByLabel("Heading of link 1", { exact: true }).fill("Work");
    await page.getByLabel("Hide link 2", { exact: true }).click();
    await page.getByRole("radio", { name: "Ink" }).check();
    await page.getByLabel("Colour", { exact: true }).fill("#1f6feb");
    const preview = page.locator("iframe").last().contentFrame();
    await preview.locator("body.ink h2").getByText("Work").waitFor();
    await preview.getByText("Write").waitFor({ state: "detached" });
    await save(page);
    const { profile, linkTrees } = await studio.record();
    expect(profile.language).toBe("fr");
    expect(linkTrees[0]?.look).toEqual({ theme: "ink", accent: "#1f6feb" });
    expect(linkTrees[0]?.links).toMatchObject([{ section: "Work" }, { isHidden: true }]);

    await page.getByRole("radio", { name: "Usual" }).check();
    await page.getByRole("button", { name: "Leave it to the address" }).click();
    await page.getByLabel("Heading of link 1", { exact: true }).fill("");
    await page.getByLabel("Hide link 2", { exact: true }).click();
    await page.getByRole("switch", { name: "Has a public page" }).click();
    await save(page);
    const [tree] = (await studio.record()).linkTrees;
    expect(tree).toMatchObject({ hasPage: false });
    expect(tree).not.toHaveProperty("look");
    expect(tree?.links.map((link) => Object.keys(link))).toEqual([
      ["id", "label", "url"],
      ["id", "label", "url"],
    ]);
    expect(await page.getByRole("link", { name: "Open the page" }).count()).toBe(0);
  });

  test("leads to the page of the profile, as it is saved and while it is public", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const way = page.getByRole("link", { name: "Open the page" });
    expect(await way.getAttribute("href")).toBe(`${PUBLIC_URL}/p/person-1`);
    await page.getByLabel("Address", { exact: true }).fill("another name");
    await page.getByText("links.example/p/another name").waitFor();
    expect(await way.getAttribute("href")).toBe(`${PUBLIC_URL}/p/person-1`);
    await save(page);
    expect(await way.getAttribute("href")).toBe(`${PUBLIC_URL}/p/another%20name`);
    await page.getByRole("switch", { name: "Public profile" }).click();
    await save(page);
    expect(await way.count()).toBe(0);
  });

  test("reaches every section on a phone while something is not saved", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await page.getByRole("button", { name: "Sections" }).click();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  });

  test("edits with the keyboard alone: a link is moved, renamed and saved", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const { keyboard } = page;
    const tabTo = async (start: string) => {
      for (let steps = 0; steps < 60; steps++) {
        if ((await focused(page)).startsWith(start)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`${start} is not reached, but ${await focused(page)}`);
    };
    const before = (await studio.record()).linkTrees[0]?.links.map(({ label }) => label) ?? [];
    // A screen that comes up takes the focus to its title.
    const titled = (name: string) => page.locator("h1:focus").getByText(name, { exact: true }).waitFor();
    await titled("Profile");
    await page.evaluate("document.activeElement.blur()");
    await tabTo("Link trees");
    await keyboard.press("Enter");
    await titled("Link trees");
    await tabTo("Everything");
    await keyboard.press("Enter");
    await titled("Everything");
    await tabTo(`Move ${before[0]}, 1 of`);
    await keyboard.press("ArrowDown");
    await page.locator(`[aria-label^="Move ${before[0]}, 2 of"]:focus`).waitFor();
    const label = `${before[0]} (second)`;
    // A letter that got lost between the test and the browser is typed again.
    await until("the label is typed", async () => {
      await tabTo("Label of link 2");
      const typed = await page.evaluate<string | undefined>("document.activeElement.value");
      if (typed === label) return true;
      // The moved handle may take the focus back once, when it is drawn.
      if (!typed?.startsWith(before[0] ?? "")) return false;
      await keyboard.press("End");
      await keyboard.type(label.charAt(typed.length));
      return false;
    });
    await keyboard.press("Control+s");
    await saved(page);
    const after = (await studio.record()).linkTrees[0]?.links.map(({ label }) => label);
    expect(after).toEqual([before[1] ?? "", label, ...before.slice(2)]);
  });

  test("saves by key what is being typed, with its address completed and its word added", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const website = page.getByLabel("Website", { exact: true });
    await website.fill("harbour.example");
    await page.keyboard.press("Control+s");
    await saved(page);
    expect((await studio.record()).profile.url.value).toBe("https://harbour.example");
    await page.locator('[id="profile.url.value"]:focus').waitFor();
    await goTo(page, "Jobs");
    await page.locator(".entry-head").first().click();
    await page.getByLabel("Technologies").fill("Knots");
    await page.keyboard.press("Control+s");
    await until("the word is saved", async () =>
      (await studio.record()).jobs[0]?.technologies.includes("Knots"),
    );
  });

  test("types capitals into the middle of an address, and it has small letters once they leave it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const address = page.getByLabel("Address", { exact: true });
    await address.focus();
    await page.keyboard.press("Home");
    await page.keyboard.type("Dr-Mira-");
    await page.keyboard.press("Tab");
    expect(await address.inputValue()).toBe("dr-mira-person-1");
    await save(page);
    expect((await studio.record()).profile.slug).toBe("dr-mira-person-1");
  });

  test("types dates and words in other scripts", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Projects");
    await page.locator(".entry-head").first().click();
    await page.getByLabel("Start: year").fill("۲۰۲۱");
    await page.getByLabel("Start: day").fill("１２");
    await page.getByLabel("Technologies").fill("سي،");
    await page.getByRole("button", { name: "Remove سي", exact: true }).waitFor();
    const input = await page.context().newCDPSession(page);
    await input.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
    )`);
    await input.send("Input.insertText", { text: "日本" });
    await page.keyboard.press("Enter");
    await save(page);
    const [project] = (await studio.record()).projects;
    expect(project?.startDate).toMatch(/^2021-\d\d-12T/);
    expect(project?.technologies.slice(-2)).toEqual(["سي", "日本"]);
  });

  test("is asked before a word is lost that is still being typed", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Jobs");
    await page.locator(".entry-head").first().click();
    await page.getByLabel("Technologies").fill("Knots");
    const asked = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    await asked;
  });

  test("is back where the focus was when a question is closed", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    const discard = page.locator(".save-bar > button").getByText("Discard");
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("button", { name: "Keep them" }).press("Enter"),
    ]) {
      await discard.press("Enter");
      await page.getByRole("heading", { name: "Discard your changes?" }).waitFor();
      await close();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Discard");
    }
  });

  test("who saves or discards by keyboard is back where they came from, and who cannot save stays there", async () => {
    await using studio = await startPagedStudio([
      withValue(homelyRecord(1), "profile.avatarUrl.value", "https://person1.example/me.png"),
    ]);
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.context().route("https://person1.example/**", (route) => route.abort());
    const place = page.getByLabel("Place", { exact: true });
    // Nothing else is reached on the way: the last field of the screen is before the buttons.
    const last = page.locator('input[id^="profile.avatarUrl"]');
    const backAt = () => page.locator('input[id^="profile.avatarUrl"]:focus').waitFor();
    const tabToButtons = async (buttons: number) => {
      await last.focus();
      for (let presses = 0; presses < buttons; presses++) await page.keyboard.press("Tab");
    };
    await place.fill("Oslo");
    await tabToButtons(2);
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.locator(".save-bar").getByText("The studio cannot be reached").waitFor();
    expect(await focused(page)).toBe("Save");
    await page.context().setOffline(false);
    await page.keyboard.press("Enter");
    await saved(page);
    await backAt();

    await place.fill("Rome");
    await tabToButtons(1);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).press("Enter");
    await page.locator(".save-bar").waitFor({ state: "detached" });
    await backAt();

    await page.getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await page.locator("input[type=file]:focus").waitFor();
  });

  test.each([
    [20, "in one part of the list", "[id='projects.20.role']"],
    [90, "in another part of a long list", ".entry.open .entry-head"],
  ])(
    "who saves one of %i projects, which is sorted to its end, %s, is there with it",
    async (count, _, place) => {
      const [project] = homelyRecord(1).projects;
      const projects = Array.from({ length: count }, (_, years) => ({
        ...project,
        title: `Project ${years}`,
        startDate: String(2024 - years),
        endDate: String(2024 - years),
      }));
      await using studio = await startPagedStudio([{ ...homelyRecord(1), projects }]);
      await using owner = await enterAsOwner(open, studio);
      const { page } = owner;
      await goTo(page, "Projects");
      const start = async (title: string) => {
        await page.getByRole("button", { name: "Add a project" }).click();
        await page.locator("[id='projects.0.title']:focus").fill(title);
        await page.locator("[id='projects.0.shortDescription']").fill("Long ago.");
        for (const date of ["startDate", "endDate"])
          await page.locator(`[id='projects.0.${date}']`).fill("1901");
        await page.locator("[id='projects.0.role']").fill("Maker");
      };
      const head = (title: string) => page.locator(".entry-head").filter({ hasText: title });
      await start("By key");
      await page.keyboard.press("Control+s");
      await saved(page);
      await page.locator(`${place}:focus`).waitFor();
      expect(await isInWindow(page.locator(place))).toBe(true);

      await head("By key").click();
      await start("By finger");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await saved(page);
      await until("the entry is in the window", () => isInWindow(head("By finger")));
    },
  );

  test("who removes an entry is at the next one, and after the last at the button for a new one", async () => {
    const { jobs, ...record } = homelyRecord(1);
    await using studio = await startPagedStudio([{ ...record, jobs: jobs.slice(0, 2) }]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Jobs");
    const heads = page.locator(".entry-head");
    const names = await heads.locator("strong").allTextContents();
    expect(names).toHaveLength(2);
    await heads.first().press("Enter");
    await page.getByRole("button", { name: "Remove this job" }).press("Enter");
    await page
      .locator(".entry-head:focus")
      .getByText(names[1] ?? "")
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove this job" }).press("Enter");
    await page.getByText("None yet.").waitFor();
    expect(await focused(page)).toBe("Add a job");
  });

  test("who removed something brings it back to its place, and keeps what else was changed", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const before = await studio.record();
    const [tree] = before.linkTrees;
    const isAt = async (value: string) => {
      await until("the field has the focus", () =>
        page.evaluate<boolean>(`document.activeElement.value === ${JSON.stringify(value)}`),
      );
    };
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Remove link 1", exact: true }).click();
    await page.getByRole("button", { name: `Bring back “${tree?.links[0]?.label}”` }).click();
    await isAt(tree?.links[0]?.label ?? "");
    await page.getByRole("button", { name: "Delete this link tree" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await goTo(page, "Education");
    await page.getByRole("button", { name: `Bring back “${tree?.title}”` }).click();
    await isAt(tree?.title ?? "");
    await goTo(page, "Jobs");
    await page.locator(".entry-head").first().click();
    await page.getByRole("button", { name: "Remove this job" }).click();
    await page.getByRole("button", { name: /^Bring back/ }).click();
    await isAt(before.jobs[0]?.title ?? "");
    expect(await page.getByRole("button", { name: /^Bring back/ }).count()).toBe(0);
    await save(page);
    const { profile, linkTrees, jobs } = await studio.record();
    expect(profile.location.value).toBe("Oslo");
    expect([linkTrees, jobs]).toEqual([before.linkTrees, before.jobs]);
  });

  test("who removes a job has projects that are part of none once that is saved, and of it until then", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const removeJob = async () => {
      await goTo(page, "Jobs");
      await page.getByRole("button", { name: /^Engineer/ }).click();
      await page.getByRole("button", { name: "Remove this job" }).click();
    };
    const jobOfProject = async () => {
      await goTo(page, "Projects");
      await page.getByRole("button", { name: /^Kite/ }).click();
      return page.getByLabel("Part of a job").locator("option:checked").textContent();
    };
    await removeJob();
    expect(await jobOfProject()).toBe("None");
    await page.getByRole("button", { name: "Bring back “Engineer”" }).click();
    await page.locator('[id="jobs.1.title"]:focus').waitFor();
    expect(await jobOfProject()).toBe("Engineer, Past Ltd");
    await removeJob();
    await save(page);
    const { jobs, projects } = await studio.record();
    expect([jobs.map(({ title }) => title), projects.map(({ jobId }) => jobId)]).toEqual([["Lead"], [null]]);
  });

  test("who removes a link by pointer stays where they are, without the keyboard of a phone", async () => {
    const links = Array.from({ length: 15 }, (_, number) => ({
      label: `Link ${number}`,
      url: `https://site${number}.example/`,
    }));
    await using studio = await startPagedStudio([withValue(homelyRecord(1), "linkTrees[0].links", links)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByLabel("Label of link 9", { exact: true }).scrollIntoViewIfNeeded();
    const standing = () => page.evaluate<number>("scrollY");
    const before = await standing();
    await page.getByRole("button", { name: "Remove link 9", exact: true }).click();
    await page.getByText("Bring back “Link 8”").waitFor();
    expect(await focused(page)).toBe("Remove link 9");
    expect(await standing()).toBe(before);
  });

  test("who removes a link is at the next one, also among those found, and after the last at the field for a new one", async () => {
    const record = homelyRecord(1);
    const links = Array.from({ length: 23 }, (_, number) => ({
      label: `${number % 10 === 0 ? "Tenth" : "Link"} ${number}`,
      url: `https://site${number}.example/`,
    }));
    const many = withValue(record, "linkTrees[0].links", links);
    await using studio = await startPagedStudio([withValue(many, "linkTrees[1].links", links.slice(0, 1))]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const isAt = async (label: string) => {
      await page.locator(".row-input.label:focus").waitFor();
      expect(await page.locator(":focus").inputValue()).toBe(label);
    };
    const remove = (number: number) =>
      page.getByRole("button", { name: `Remove link ${number}`, exact: true }).press("Enter");
    await page.getByLabel("Find a link").fill("tenth");
    await remove(11);
    await isAt("Tenth 20");
    await remove(20);
    await isAt("Tenth 0");
    expect(await page.locator(".link-row").count()).toBe(1);
    await remove(1);
    await page.locator('[aria-label="Address of a new link"]:focus').waitFor();

    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "a.example\\nb.example");
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true, bubbles: true }));
    }`);
    await page.getByRole("button", { name: "Move b.example, 2 of 22" }).waitFor();

    await page.getByRole("link", { name: "All link trees" }).click();
    await page.getByRole("link", { name: "Empty" }).click();
    await remove(1);
    await page.locator('[aria-label="Address of the first link"]:focus').waitFor();
  });

  test("who looks for a link and calls it otherwise keeps it while its heading is typed", async () => {
    const links = Array.from({ length: 25 }, (_, place) => ({
      label: `Shop ${place}.`,
      url: `https://example.com/${place}`,
    }));
    await using studio = await startPagedStudio([withValue(homelyRecord(1), "linkTrees.0.links", links)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Headings" }).click();
    await page.getByLabel("Find a link").fill("shop 7.");
    await page.getByLabel("Label of link 8", { exact: true }).fill("Harbour");
    await page.getByLabel("Heading of link 8", { exact: true }).focus();
    await page.keyboard.type("Work");
    await save(page);
    const [tree] = (await studio.record()).linkTrees;
    expect(tree?.links[7]).toMatchObject({ label: "Harbour", section: "Work" });
  });

  test("pastes several addresses as links also where one was typed before", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const field = page.getByLabel("Address of a new link");
    await field.fill("a.example");
    await paste(field, "b.example\nc.example");
    await page.getByLabel("Address of link 3", { exact: true }).waitFor();
    const addresses = () =>
      Promise.all(
        [1, 2, 3].map((link) => page.getByLabel(`Address of link ${link}`, { exact: true }).inputValue()),
      );
    expect(await addresses()).toEqual(["https://a.example", "https://b.example", "https://c.example"]);
    await field.fill("not these");
    await field.selectText();
    await paste(field, "d.example\ne.example");
    expect(await addresses()).toEqual(["https://d.example", "https://e.example", "https://a.example"]);
    expect(await field.inputValue()).toBe("");
  });

  test("pastes technologies that stand in lines of their own as words of their own", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Jobs");
    await page.locator(".entry-head").first().click();
    const field = page.getByLabel("Technologies");
    await field.fill("Knots");
    await paste(field, "Sea charts\r\nRadar\n");
    await save(page);
    const [job] = (await studio.record()).jobs;
    expect(job?.technologies.slice(-3)).toEqual(["Knots", "Sea charts", "Radar"]);
  });

  test("drags a link to another place", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const rows = page.getByRole("listitem").filter({ has: page.getByLabel("Label of link") });
    const labels = () =>
      page
        .locator(".row-input.label")
        .evaluateAll((inputs) => inputs.map((it) => (it as unknown as { value: string }).value));
    const before = await labels();
    const handle = page.getByRole("button", { name: /^Move .*, 1 of/ });
    // Near the edge of the window, dragging would scroll it.
    await handle.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const [from, to] = [await handle.boundingBox(), await rows.nth(1).boundingBox()];
    if (!from || !to) throw new Error("there are no two rows");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + to.height * 0.9, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: `Move ${before[0]}, 2 of` }).waitFor();
    expect(await labels()).toEqual([before[1] ?? "", before[0] ?? "", ...before.slice(2)]);
  });

  test("who drags a link and brings it back to its place at once leaves it there", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const handle = page.getByRole("button", { name: /^Move .*, 1 of/ });
    await handle.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const from = await handle.boundingBox();
    if (!from) throw new Error("there is no row");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, from.y + 160, { steps: 5 });
    await page.locator("[data-drop]").waitFor();
    await page.mouse.move(from.x + 5, from.y + 8);
    await page.locator("[data-drop]").waitFor({ state: "detached" });
    await page.mouse.up();
    expect(await page.locator(".save-bar").count()).toBe(0);
  });

  test("finds what is wrong at its field, with the focus there, and nothing half saved", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const before = await studio.record();
    await page.getByLabel("Name", { exact: true }).fill("Somebody else");
    await goTo(page, "Jobs");
    await page.getByRole("button", { name: "Lead, Now Ltd" }).click();
    await page.getByLabel("Company's site").fill("no address");
    await goTo(page, "Projects");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const field = page.getByLabel("Company's site");
    await field.waitFor();
    await page.locator('[aria-invalid="true"]:focus').waitFor();
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await field.getAttribute("aria-describedby")).toContain("problem");
    await page.getByRole("status").getByText("Not saved").waitFor({ state: "attached" });
    expect(await studio.record()).toEqual(before);

    await field.fill("now.example");
    await save(page);
    const { profile, jobs } = await studio.record();
    expect([profile.name.value, jobs[0]?.companyUrl]).toEqual(["Somebody else", "https://now.example"]);
  });

  test("hears what is wrong with a date in the words of its fields", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const refused = async (words: string) => {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator(".problem").getByText(words, { exact: true }).waitFor();
      expect(await page.locator(".save-words .link").textContent()).toBe(`Start: ${words}`);
    };
    await goTo(page, "Jobs");
    await page.getByRole("button", { name: "Add a job" }).click();
    await refused("Needs a year of four digits.");
    await page.getByLabel("Start: year").fill("2023");
    await page.getByLabel("Start: day").fill("31");
    await refused("Needs a month beside its day.");
    await page.getByLabel("Start: month").selectOption("February");
    await refused("There is no such day.");
    await page.getByLabel("Start: day").fill("");
    await save(page);
  });

  test("hears what is wrong with a number in the words of its field", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const words = "Number at the code host: Needs a whole number of at most 15 digits.";
    for (const typed of ["mira", "1.5", "99999999999999999999"]) {
      await page.getByLabel("Number at the code host").fill(typed);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: words }).waitFor();
    }
  });

  test("hears of the address of a link as an address, where it is wrong and where two changed it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const address = page.getByLabel("Address of link 1", { exact: true });
    await address.fill("no address");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator(".save-bar").getByText("Address: Must be a URL").waitFor();
    await studio.store.records.save([
      checkedRecord(withValue(await studio.record(), "linkTrees[0].links[0].url", "https://theirs.example/")),
    ]);
    await address.fill("https://mine.example/");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").getByText("› Address").waitFor();
  });

  test("hears which of their link trees has the address that another one was given", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("button", { name: "New link tree" }).click();
    await page.getByLabel("Address", { exact: true }).fill("everything-1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Address: Is that of “Everything” already.").waitFor();
  });

  test("is led to a heading that is too long, although headings are not shown", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const headings = page.getByRole("button", { name: "Headings" });
    await headings.click();
    await page.getByLabel("Heading of link 2", { exact: true }).fill("x".repeat(200));
    await headings.click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator('[aria-label="Heading of link 2"]:focus').waitFor();
  });

  test("writes from right to left, and has the first letter of a name that begins with a mark", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const directionOf = (label: string) =>
      page
        .getByLabel(label, { exact: true })
        .evaluate((field) => field.ownerDocument.defaultView?.getComputedStyle(field).direction);
    await page.getByLabel("Name", { exact: true }).fill("\u200fעדה");
    await page.getByLabel("About you", { exact: true }).fill("מפתחת ב-C++ (וגם C#).");
    expect([await directionOf("Name"), await directionOf("About you")]).toEqual(["rtl", "rtl"]);
    expect([await directionOf("Place"), await directionOf("Website")]).toEqual(["ltr", "ltr"]);
    expect(await page.locator(".side .face").textContent()).toBe("ע");
  });

  test("whose browser translates the page reads what is so now, and keys as they are", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.evaluate(TRANSLATE);
    const [name, shown] = [page.locator(".side-who strong"), page.locator('[id="profile.name.isPublic"]')];
    expect(await shown.textContent()).toBe("[Public]");
    for (const [typed, words] of [
      ["Ada", "[Only you]"],
      ["Ada L", "[Public]"],
    ] as const) {
      await page.locator('[id="profile.name.value"]').fill(typed);
      await name.getByText(`[${typed}]`, { exact: true }).waitFor();
      await shown.click();
      await shown.getByText(words, { exact: true }).waitFor();
    }
    await page.goto(`${studio.url}/#/keys`);
    await page.getByRole("button", { name: "Make a key" }).click();
    const key = await page.locator(".secret code").first().textContent();
    expect(key).toStartWith("vit_");
    expect(owner.complaints).toEqual([]);
  });

  test("whose name is only blanks is called by the e-mail address in the head", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    await owner.page.getByLabel("Name", { exact: true }).fill("  ");
    expect(await owner.page.locator(".side-who strong").textContent()).toBe("person1@example.com");
    expect(await owner.page.locator(".side .face").textContent()).toBe("P");
  });

  test("whose name runs from right to left and is too long for the head reads how it begins", async () => {
    await using studio = await startPagedStudio([
      withValue(homelyRecord(1), "profile.name.value", "עדה מרים לאבלייס בת אוגוסטה ואנבלה מלונדון הבירה"),
    ]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const beginsWithin = await page.evaluate<boolean>(`(() => {
      const name = document.querySelector(".side-who strong");
      const letter = document.createRange();
      const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
      letter.setStart(text, 0);
      letter.setEnd(text, 1);
      return letter.getBoundingClientRect().right <= name.getBoundingClientRect().right + 1;
    })()`);
    expect(beginsWithin).toBe(true);
  });

  test("is asked before changes are lost, by leaving the page and by discarding", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page, complaints } = owner;
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Not saved");
    const asked = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    await asked;
    expect(complaints).toEqual(["dialog: "]);
    expect(await name.inputValue()).toBe("Not saved");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.locator(".save-bar").waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Person 1");
    await page.reload();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
  });

  test("who leaves fields empty leaves them out, and saving the same again changes nothing", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Number at the code host").fill("");
    await page.getByRole("switch", { name: "Show telephone to everybody" }).click();
    await page.getByText(/Everybody may see your .*telephone/).waitFor();
    await goTo(page, "Jobs");
    await page.getByRole("button", { name: "Add a job" }).click();
    await page.locator('[id="jobs.0.title"]:focus').waitFor();
    await page.keyboard.type("Cook");
    await page.getByLabel("Company", { exact: true }).first().fill("Galley");
    await page.getByLabel("Start: year").first().fill("2024");
    await page.getByLabel("Start: month").first().selectOption("March");
    await page.getByLabel("Technologies").first().fill("Pans, Knives,");
    await save(page);
    const record = await studio.record();
    expect(record).not.toHaveProperty("codehostId");
    expect(record.profile.phone.isPublic).toBe(true);
    const job = record.jobs.find(({ title }) => title === "Cook");
    expect(job).toMatchObject({ startDate: "2024-03-01T00:00:00.000Z", technologies: ["Pans", "Knives"] });
    expect(job).not.toHaveProperty("companyUrl");

    const company = page.getByLabel("Company", { exact: true }).first();
    await company.fill("Other");
    await company.fill("Galley");
    await page.getByRole("region", { name: "Saving" }).waitFor({ state: "detached" });
    expect(await studio.record()).toEqual(record);
  });

  test("in two tabs keeps what both changed, and chooses where both changed the same", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const other = await page.context().newPage();
    await other.goto(studio.url);
    await other.getByLabel("Place", { exact: true }).fill("Oslo");
    await other.getByLabel("Name", { exact: true }).fill("The other");
    await page.getByLabel("Name", { exact: true }).fill("The one");
    await page.getByLabel("About you", { exact: true }).fill("Written here.");
    await save(other);

    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Profile › Place").waitFor();
    const choice = dialog.getByRole("group", { name: "Profile › Name" });
    await choice.getByText("The one").waitFor();
    await choice.getByLabel("Saved meanwhile").check();
    await dialog.getByRole("button", { name: "Save as chosen" }).click();
    await saved(page);
    const { profile } = await studio.record();
    expect([profile.name.value, profile.location.value, profile.summary.value]).toEqual([
      "The other",
      "Oslo",
      "Written here.",
    ]);
    await goTo(page, "History");
    const saves = page.getByRole("listitem").filter({ hasText: "Saved in the studio" });
    await saves.nth(1).waitFor();
    expect(await saves.count()).toBe(2);
  });

  test("in two tabs chooses between levels and jobs by their names", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const other = await page.context().newPage();
    await other.goto(studio.url);
    for (const [tab, level, job] of [
      [other, "Doctorate", "None"],
      [page, "Bachelor", "Lead, Now Ltd"],
    ] as const) {
      await goTo(tab, "Education");
      await tab.locator(".entry-head").first().click();
      await tab.getByLabel("Level").selectOption(level);
      await goTo(tab, "Projects");
      await tab.locator(".entry-head").first().click();
      await tab.getByLabel("Part of a job").selectOption(job);
    }
    await save(other);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const words = (place: RegExp) => page.getByRole("group", { name: place }).innerText();
    expect(await words(/Part of a job$/)).toMatch(/Yours\s+Lead\s+Saved meanwhile\s+nothing/);
    expect(await words(/Level$/)).toMatch(/Yours\s+Bachelor\s+Saved meanwhile\s+Doctorate/);
  });

  test("in two tabs is told that links were moved in the other, also after an earlier conflict", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const other = await page.context().newPage();
    const [tree] = (await studio.record()).linkTrees;
    for (const tab of [page, other]) await tab.goto(`${studio.url}/#/links/${tree?.id}`);
    const label = "Label of link 1";
    await other.getByLabel(label, { exact: true }).fill("House");
    await save(other);
    await page.getByLabel(label, { exact: true }).fill("Cabin");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Save as chosen" }).click();
    await saved(page);

    await other.reload();
    await other.getByRole("button", { name: "Move Cabin, 1 of 2" }).press("End");
    await save(other);
    await page.getByLabel("Description", { exact: false }).fill("Places of mine.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").getByText("Links › Order").waitFor();
    await page.getByRole("button", { name: "Save both" }).click();
    await saved(page);
    const [changed] = (await studio.record()).linkTrees;
    expect(changed?.links.map((link) => link.label)).toEqual(["Write", "Cabin"]);
    expect(changed?.description).toBe("Places of mine.");
  });

  test("who saves again after an answer got lost is not told of somebody else", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    await goTo(page, "Jobs");
    await page.getByRole("button", { name: "Add a job" }).click();
    await page.locator('[id="jobs.0.title"]:focus').fill("Cook");
    await page.getByLabel("Start: year").fill("2024");
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const pasted = page.getByLabel("Address of a new link");
    await pasted.fill("harbour.example/map");
    await pasted.press("Enter");
    await page.route("**/record", loseAnswer, { times: 1 });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("cannot be reached").first().waitFor();
    await page.getByLabel("Label of link 1", { exact: true }).fill("The map");
    await save(page);
    const { profile, jobs, linkTrees } = await studio.record();
    expect(profile.location.value).toBe("Tromsø");
    expect(jobs.filter(({ title }) => title === "Cook")).toHaveLength(1);
    expect(linkTrees[0]?.links.map(({ label }) => label)).toEqual(["The map", "Home", "Write"]);
  });

  test("who saves again and again on a bad line is not told of somebody else", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const place = page.getByLabel("Place", { exact: true });
    const failingSave = async (text: string, fail: (route: Route) => Promise<void>) => {
      await place.fill(text);
      await page.route("**/record", fail, { times: 1 });
      const failed = page.waitForEvent("requestfailed");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await failed;
      await page.getByRole("button", { name: "Save", exact: true }).waitFor();
    };
    await failingSave("Tromsø", loseAnswer);
    await failingSave("Tromsø, Norway", (route) => route.abort());
    await place.fill("Norway");
    await save(page);
    expect((await studio.record()).profile.location.value).toBe("Norway");
  });

  test("brings an earlier version back", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const before = await studio.record();
    await page.getByLabel("Name", { exact: true }).fill("A mistake");
    await save(page);
    await goTo(page, "History");
    await page.getByRole("button", { name: /^Look at the version/ }).click();
    await page.getByRole("button", { name: "Bring this version back" }).click();
    await page.getByText("Restored from an earlier version").waitFor();
    expect((await studio.record()).profile.name).toEqual(before.profile.name);
    await goTo(page, "Profile");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Person 1");
  });

  test("sees in an earlier version what was there, also where a number looks like a date", async () => {
    await using studio = await startPagedStudio([
      withValue(homelyRecord(1), "profile.phone.value", "020-12-01"),
    ]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await save(page);
    await goTo(page, "History");
    await page.getByRole("button", { name: /^Look at the version/ }).click();
    await page.getByText("All that was in it").click();
    await page.getByRole("definition").getByText("020-12-01").first().waitFor();
    expect(
      await page
        .locator("dialog dl div", { hasText: /^Public/ })
        .first()
        .innerText(),
    ).toBe("Public\nyes");
  });

  test("who cannot bring a version back keeps what was not saved", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Name", { exact: true }).fill("A mistake");
    await save(page);
    await page.getByLabel("Place", { exact: true }).fill("Not saved");
    await goTo(page, "History");
    await page.route("**/restore", (route) => route.abort());
    await page.getByRole("button", { name: /^Look at the version/ }).click();
    await page.getByRole("button", { name: "Bring this version back" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").getByText("cannot be reached").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await save(page);
    expect((await studio.record()).profile.location.value).toBe("Not saved");
  });

  test("who brings a version back that is no longer valid is told why, and the draft is not blamed", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Address", { exact: true }).fill("another");
    await save(page);
    await studio.store.records.save([
      checkedRecord(withValue(homelyRecord(2), "profile.slug", homelyRecord(1).profile.slug)),
    ]);
    await goTo(page, "History");
    await page.getByRole("button", { name: /^Look at the version/ }).click();
    await page.getByRole("button", { name: "Bring this version back" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").getByText("Profile, Address Is already taken.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(page.url()).toEndWith("#/history");
    await goTo(page, "Profile");
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
  });

  test("who brings a version back after a save elsewhere sees first what that would change now", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const before = await studio.record();
    await page.getByLabel("Name", { exact: true }).fill("A mistake");
    await save(page);
    await goTo(page, "History");
    await page.getByRole("button", { name: /^Look at the version/ }).click();
    const dialog = page.getByRole("dialog");
    const differences = dialog.getByRole("listitem");
    await differences.first().waitFor();
    expect(await differences.count()).toBe(1);
    await studio.store.records.save([
      checkedRecord(
        withValue(withValue(before, "profile.name.value", "A mistake"), "profile.location.value", "Rome"),
      ),
    ]);
    await dialog.getByRole("button", { name: "Bring this version back" }).click();
    await dialog.getByRole("alert").getByText("saved elsewhere meanwhile").waitFor();
    await differences.nth(1).waitFor();
    await dialog.getByRole("button", { name: "Bring this version back" }).click();
    await dialog.waitFor({ state: "detached" });
    const { name, location } = (await studio.record()).profile;
    expect([name, location]).toEqual([before.profile.name, before.profile.location]);
  });

  test("makes a link tree, renames it, and deletes it", async () => {
    await using studio = await startPagedStudio([{ ...homelyRecord(1), linkTrees: [] }]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.getByRole("button", { name: "New link tree" }).click();
    await page.locator('[id="linkTrees.0.title"]:focus').waitFor();
    await page.keyboard.type("Boats");
    await page.getByLabel("Address", { exact: true }).fill("Boats");
    await page.getByLabel("Address of the first link").fill("a.example");
    await page.keyboard.press("Enter");
    await save(page);
    expect((await studio.record()).linkTrees).toMatchObject([
      { title: "Boats", slug: "boats", links: [{ label: "a.example", url: "https://a.example" }] },
    ]);
    await page.getByRole("button", { name: "Delete this link tree" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await save(page);
    expect((await studio.record()).linkTrees).toEqual([]);
  });
});
