import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { lookInColours, overflow } from "../../support/axe.ts";
import { describeInBrowser } from "../../support/browser.ts";
import { withValue } from "../../support/edit-record.ts";
import { checkedRecord } from "../../support/records.ts";
import type { TestStudio } from "../../support/studio.ts";
import { enterAsOwner, goTo, homelyRecord, save, startPagedStudio } from "../../support/studio-visitor.ts";

setDefaultTimeout(300_000);

const WIDTHS = [390, 1280];
const SCHEMES = ["light", "dark"] as const;

/** The screens of an owner, each with what there is to open on it. */
const SCREENS: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ["Profile", async () => {}],
  ["Link trees", async () => {}],
  [
    "Link trees",
    async (page) => {
      await page.getByRole("link", { name: "Everything" }).click();
      await page.getByLabel("Label of link 1", { exact: true }).waitFor();
    },
  ],
  ["Jobs", (page) => page.getByRole("button", { name: "Lead, Now Ltd" }).click()],
  ["Projects", (page) => page.getByRole("button", { name: "Kite" }).click()],
  ["Education", (page) => page.locator(".entry-head").first().click()],
  ["Numbers", (page) => page.getByText("The same as a table").click()],
  [
    "QR codes",
    (page) =>
      page
        .getByAltText(/^QR code/)
        .first()
        .waitFor(),
  ],
  [
    "Keys",
    async (page) => {
      await page.getByRole("button", { name: "Make a key" }).click();
      await page.getByRole("button", { name: "Copy the key" }).first().waitFor();
    },
  ],
  [
    "Hooks",
    async (page) => {
      await page.getByText("What is sent").click();
      await page.getByText("host.example").waitFor();
    },
  ],
  ["History", (page) => page.getByText("Now", { exact: true }).waitFor()],
  ["Take along", async () => {}],
  ["Account", (page) => page.getByText("Here", { exact: true }).waitFor()],
];

/** What opens over a screen of an owner, each with how it is opened. Escape closes it. */
const DIALOGS: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  [
    "Profile",
    (page) =>
      page
        .locator('input[type="file"]')
        .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") }),
  ],
  [
    "Link trees",
    async (page) => {
      await page.getByRole("link", { name: "Everything" }).click();
      await page.getByRole("button", { name: "Delete this link tree" }).click();
    },
  ],
  ["Keys", (page) => page.getByRole("button", { name: /^Replace the key/ }).click()],
  ["Keys", (page) => page.getByRole("button", { name: /^End the key/ }).click()],
  ["Hooks", (page) => page.getByRole("button", { name: /^Remove the hook/ }).click()],
  ["History", (page) => page.getByRole("button", { name: /^Look at the version/ }).click()],
  ["Account", (page) => page.getByRole("button", { name: /^Delete/ }).click()],
];

/** A hook that leads nowhere, of the first person. */
function addHook({ store }: TestStudio) {
  const target = { url: "https://host.example/deploy", headers: [], body: null, secret: null };
  return store.hooks.add({ ...target, email: "person1@example.com", events: ["record.changed"] });
}

/** A picture of one pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A record whose texts try to be more than that. */
function hostileRecord(): unknown {
  const texts = {
    "profile.name.value": `"><script>alert(1)</script>`,
    "linkTrees[0].links[0].label": "<img src=x onerror=alert(2)>",
    "jobs[0].title": "<iframe srcdoc='<script>alert(3)</script>'>",
    "projects[0].technologies[0]": "{{constructor.constructor('alert(4)')()}}",
  };
  return Object.entries(texts).reduce<unknown>(
    (record, [place, text]) => withValue(record, place, text),
    homelyRecord(1),
  );
}

/** What a screen has that it should not, narrow or wide, light or dark: what axe finds, and what sticks out. */
async function faultsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = [];
  // Colours that are still changing would be looked at on their way.
  const every = SCHEMES.map((colorScheme) => ({ colorScheme, reducedMotion: "reduce" }) as const);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const [index, { violations, sticksOut }] of (await lookInColours(page, every)).entries()) {
      const place = `${screen}, ${width} px, ${SCHEMES[index]}`;
      faults.push(...violations.map((fault) => `${place}: ${fault}`));
      if (sticksOut > 0) faults.push(`${place}: ${sticksOut} px stick out`);
    }
  }
  return faults;
}

/** Whether the numbers beside a chart are in the window, and not cut off at its own edge. */
const WHOLE_LABELS = `(() => {
  const chart = document.querySelector(".chart svg");
  const left = (element) => element.getBoundingClientRect().left;
  const edge = getComputedStyle(chart).overflow === "visible" ? document.body : chart;
  return [...chart.querySelectorAll(".grid text")].every((label) => left(label) >= left(edge));
})()`;

describeInBrowser("in a browser, every screen of the studio", (open) => {
  // Axe runs as a script, which the policy of the page forbids.
  const bypassPolicy = true;

  test("of an owner has nothing that axe finds and nothing that sticks out, narrow or wide, light or dark", async () => {
    await using studio = await startPagedStudio();
    await addHook(studio);
    await using owner = await enterAsOwner(open, studio, { bypassPolicy });
    const { page, complaints } = owner;
    const faults: string[] = [];
    for (const [section, look] of SCREENS) {
      await goTo(page, section);
      await look(page);
      faults.push(...(await faultsOf(page, section)));
    }
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("of an owner has neither where something opens over it, or stands in the way", async () => {
    await using studio = await startPagedStudio();
    await addHook(studio);
    const { id } = await studio.record();
    const minted = { hash: new Uint8Array(32), name: "Site", expiresAt: null };
    await studio.store.keys.create([{ ...minted, email: "person1@example.com" }]);
    await using owner = await open(await studio.invitation(), { bypassPolicy });
    const { page } = owner;
    const faults: string[] = [];
    const look = async (screen: string) => {
      await page.getByRole("dialog").waitFor();
      faults.push(...(await faultsOf(page, screen)));
    };
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("button", { name: "Later" }).waitFor();
    faults.push(...(await faultsOf(page, "welcome")));
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await save(page);
    for (const [section, open] of DIALOGS) {
      await goTo(page, section);
      await open(page);
      await look(`${section}, opened`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }

    await goTo(page, "Profile");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Sections" }).click();
    await page.getByRole("link", { name: "History", exact: true }).waitFor();
    faults.push(...(await faultsOf(page, "sections")));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel("Website", { exact: true }).fill("nowhere");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("your attention").waitFor();
    faults.push(...(await faultsOf(page, "a problem")));
    await page.getByRole("button", { name: "Discard" }).click();
    await look("discarding");
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();

    await page.getByLabel("Place", { exact: true }).fill("Bergen");
    await studio.store.records.save([
      checkedRecord(withValue(homelyRecord(1), "profile.location.value", "Rome")),
    ]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await look("a conflict");
    await studio.store.access.sessions.endAll(id);
    await page.getByRole("button", { name: "Save as chosen" }).click();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    await look("signed out");
    expect(faults).toEqual([]);
  });

  test("fits a small window at four times the size, and leaves room for what has to be mended", async () => {
    const words = "All that I have ever written about the harbour of Bergen, its boats and their people";
    await using studio = await startPagedStudio([
      withValue(homelyRecord(1), "linkTrees[0].links[0].label", words),
    ]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.setViewportSize({ width: 320, height: 256 });
    for (const [section, look] of SCREENS.filter(([name]) => name !== "Hooks")) {
      await goTo(page, section);
      await look(page);
      expect([section, Math.max(await overflow(page), 0)]).toEqual([section, 0]);
    }
    await goTo(page, "Numbers");
    const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { y: 0, height: 0 };
    const [link, clicks] = [
      page.getByText("Link", { exact: true }),
      page.getByText("Clicks", { exact: true }),
    ];
    expect((await boxOf(clicks.last())).height).toBe((await boxOf(link.last())).height);

    await goTo(page, "Profile");
    const website = page.getByLabel("Website", { exact: true });
    await website.fill("nowhere");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator('[aria-invalid="true"]:focus').waitFor();
    const [field, bar] = [await boxOf(website), await boxOf(page.locator(".save-bar"))];
    expect(field.y).toBeGreaterThan(0);
    expect(field.y + field.height).toBeLessThan(bar.y);
  });

  test("fits a phone whose letters are twice as large", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const enlarge = (size: string) => page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
    for (const width of [390, 320])
      for (const [section, look] of SCREENS.filter(([name]) => name !== "Hooks")) {
        await page.setViewportSize({ width, height: 800 });
        // Rows that are far from the window with such letters are not there to be waited for.
        await enlarge("100%");
        await goTo(page, section);
        await look(page);
        await enlarge("200%");
        expect([width, section, Math.max(await overflow(page), 0)]).toEqual([width, section, 0]);
      }
  });

  test("leaves words room beside buttons, on the smallest phone with letters twice as large", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    const widthOf = async (locator: Locator) => (await locator.boundingBox())?.width ?? 0;
    await goTo(page, "Link trees");
    const tree = page.getByRole("link", { name: "Everything" });
    expect(await widthOf(tree)).toBeGreaterThan(200);
    await tree.click();
    const field = page.getByLabel("Address of a new link");
    await field.scrollIntoViewIfNeeded();
    expect(await widthOf(field)).toBeGreaterThan(200);
    expect(await widthOf(page.getByLabel("Label of link 1", { exact: true }))).toBeGreaterThan(200);
    await goTo(page, "Keys");
    await page.getByRole("button", { name: "Make a key" }).click();
    expect(await widthOf(page.locator(".secret code").first())).toBeGreaterThan(200);
  });

  test("leaves most of the smallest phone to what is edited, with letters twice as large", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const height = 640;
    await page.setViewportSize({ width: 320, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByLabel("Address of a new link").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Remove link 1" }).click();
    await page.getByRole("button", { name: "Bring back" }).waitFor();
    const bar = await page.locator(".save-bar").boundingBox();
    expect((bar?.height ?? height) / height).toBeLessThan(0.4);
  });

  test("breaks no number, on a phone or with letters twice as large", async () => {
    await using studio = await startPagedStudio();
    const [tree] = (await studio.record()).linkTrees;
    const day = new Date().toISOString().slice(0, 10);
    const place = { userNumber: 1, treeId: tree?.id ?? "", day };
    const writer = await studio.database.openCountWriter();
    await writer.write({
      counts: [
        { ...place, linkId: "", count: 137_342_910 },
        { ...place, linkId: tree?.links[0]?.id ?? "", count: 1342 },
      ],
      keyIds: [],
      usedAt: Date.now(),
    });
    await writer.close();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Numbers");
    await page.locator(".totals").getByText("137,342,910").waitFor();
    for (const width of [390, 320])
      for (const size of ["100%", "200%"]) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
        const lines = await page.evaluate<number[]>(`
          [".totals dd", ".link-numbers td", ".link-numbers td:last-child"].map((place) => {
            const number = document.createRange();
            number.selectNode(document.querySelector(place).firstChild);
            return number.getClientRects().length;
          })`);
        expect([width, size, lines, Math.max(await overflow(page), 0)]).toEqual([width, size, [1, 1, 1], 0]);
        expect(await page.evaluate(WHOLE_LABELS)).toBe(true);
      }
  });

  test("shows whether a switch is on and what is chosen, also where the reader's own colours are forced", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    const backgroundOf = (selector: string, part = "") =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)}).backgroundColor`,
      );
    const ours = page.getByRole("switch", { name: "Public profile" });
    for (const state of ["true", "false"]) {
      await page.locator(`.switch[aria-checked="${state}"]`).waitFor();
      expect(await backgroundOf(".switch-track", "::after")).not.toBe(await backgroundOf(".switch-track"));
      await ours.click();
    }
    await goTo(page, "Numbers");
    expect(await backgroundOf(".toggles [aria-pressed=true]")).not.toBe(
      await backgroundOf(".toggles [aria-pressed=false]"),
    );
  });

  test("of the operator, and of those outside, has neither", async () => {
    await using studio = await startPagedStudio();
    await using visitor = await open(studio.url, { bypassPolicy });
    const { page } = visitor;
    await page.getByRole("heading", { level: 1 }).waitFor();
    const faults = await faultsOf(page, "door");
    await page.goto(await studio.invitation());
    await page.getByRole("heading", { name: "You are invited" }).waitFor();
    faults.push(...(await faultsOf(page, "invitation")));
    await page.goto(await studio.operatorLink());
    await page.getByText("person1@example.com").waitFor();
    faults.push(...(await faultsOf(page, "users")));
    await page.getByRole("button", { name: "New user" }).click();
    faults.push(...(await faultsOf(page, "new user")));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Invite person1/ }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.locator(".secret code").waitFor();
    faults.push(...(await faultsOf(page, "invite")));
    await page.goto(`${studio.url}/#link=spent`);
    await page.getByRole("heading", { name: "This link did not work" }).waitFor();
    faults.push(...(await faultsOf(page, "spent link")));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("link", { name: "person1@example.com" }).click();
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("button", { name: "Stay" }).waitFor();
    faults.push(...(await faultsOf(page, "leaving")));
    expect(faults).toEqual([]);
  });

  test("runs no script but its own, whatever is in a record, and less than 60 KB of that", async () => {
    await using studio = await startPagedStudio([hostileRecord()]);
    await using owner = await enterAsOwner(open, studio);
    const { page, requests, complaints } = owner;
    for (const [section] of SCREENS) await goTo(page, section);
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.locator("iframe").contentFrame().getByText("alert(2)").waitFor();
    expect(
      requests.filter((url) => !url.startsWith(`${studio.url}/`) && !/^(?:blob|data|about):/.test(url)),
    ).toEqual([]);
    expect(complaints).toEqual([]);
    const scripts = [...new Set(requests.filter((url) => url.endsWith(".js")))];
    const sizes = await Promise.all(
      scripts.map(async (url) => {
        const answer = await fetch(url, { headers: { "Accept-Encoding": "gzip" }, decompress: false });
        return Number(answer.headers.get("Content-Length") ?? (await answer.bytes()).length);
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(60_000);
  });
});
