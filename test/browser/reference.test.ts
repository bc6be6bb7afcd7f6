import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describeInBrowser, type Scheme, type Visitor } from "../support/browser.ts";
import { openApi } from "../support/openapi.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
/** There are neither frames nor films to wait for. */
const OPTIONS = { resultTypes: ["violations"], iframes: false, preload: false };
const SCHEMES: readonly Scheme[] = ["light", "dark"];

const OPERATIONS = Object.entries(openApi.paths ?? {}).map(([path, { get }]) => ({
  path,
  title: String(get?.summary),
}));

/** Scalar's name and version, which it always says. */
const GREETING = /^@scalar\/api-reference@/;

function complaintsOf({ complaints }: Visitor): string[] {
  return complaints.filter((complaint) => !GREETING.test(complaint));
}

/** Where an operation is shown, by the button that tries it. */
function trying(page: Page, path: string) {
  return page.getByRole("button", { name: `Test Request (get ${path})` });
}

async function goTo(page: Page, { path, title }: (typeof OPERATIONS)[number]): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${title}\\b.*GET$`) }).click();
  await trying(page, path).waitFor();
}

/** What axe finds that bars somebody from using the page. All else that it has to say takes long to bring here. */
async function barriers(page: Page): Promise<string[]> {
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
      ({ id, impact, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  )) as { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  return (
    found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      // Scalar's buttons that copy a code block have no name.
      .filter(
        ({ id, nodes }) => id !== "button-name" || !nodes.every(({ html }) => html.includes("copy-button")),
      )
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  );
}

/** Loads a page anew, also where only what follows the # differs, as if nothing had been asked for before. */
async function load({ page, requests, complaints }: Visitor, url: string): Promise<void> {
  await page.goto("about:blank");
  requests.length = 0;
  complaints.length = 0;
  await page.goto(url);
}

describeInBrowser("in a browser, the API reference", (open) => {
  // The same page for all of it: a browser takes seconds to make the reference ready, and half of that again.
  let server: TestServer;
  let visitor: Visitor;
  let lookedAt: Visitor;
  beforeAll(async () => {
    server = await startTestServer();
    visitor = await open("about:blank");
    lookedAt = await open("about:blank", { bypassPolicy: true });
  });
  afterAll(async () => {
    await lookedAt[Symbol.asyncDispose]();
    await visitor[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const askedForAll = () => server.logged().filter(({ route }) => route === "/user/full");

  test("shows every endpoint, and asks this server alone", async () => {
    await visitor.page.setViewportSize({ width: 1280, height: 800 });
    await load(visitor, `${server.url}/docs`);
    await visitor.page.getByRole("heading", { name: "Vitrine", level: 1 }).waitFor();
    for (const operation of OPERATIONS) await goTo(visitor.page, operation);
    const elsewhere = visitor.requests.filter(
      (url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:"),
    );
    expect(elsewhere).toEqual([]);
    expect(visitor.requests.length).toBeGreaterThanOrEqual(3);
    expect(complaintsOf(visitor)).toEqual([]);
  });

  test("lists every endpoint once: that HEAD answers as GET does is said above all of them", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await load(visitor, `${server.url}/docs`);
    await page.getByRole("link", { name: /GET$/ }).first().waitFor();
    expect(await page.getByRole("link", { name: /GET$/ }).count()).toBe(OPERATIONS.length);
    expect(await page.getByRole("link", { name: /HEAD$/ }).count()).toBe(0);
    await page.getByText("HEAD answers as GET does, without the body.").waitFor();
  });

  // Of another person each: what the browser has already, the server would only confirm.
  test.each([
    [390, writtenRecord(1).email],
    [1280, writtenRecord(2).email],
  ])("tries a request with a key and shows the answer, %i pixels wide", async (width, email) => {
    const { key } = await server.key({ email });
    const { page } = visitor;
    await page.setViewportSize({ width, height: 800 });
    await load(visitor, `${server.url}/docs#tag/profile/GET/user/full`);
    const askedBefore = askedForAll().length;
    await trying(page, "/user/full").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByPlaceholder("Token").fill(key);
    await dialog.getByRole("button", { name: /^Send get request/ }).click();
    await dialog.getByText(email).waitFor();
    await dialog.getByText("200 OK").waitFor();

    expect(askedForAll().slice(askedBefore)).toMatchObject([
      { method: "GET", status: 200, userId: (await server.record(email)).id },
    ]);
    expect(visitor.requests.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([]);
    expect(complaintsOf(visitor)).toEqual([]);
    // A key that was typed in is gone with the page.
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    );
    expect(kept).not.toContain(key);
  });

  for (const scheme of SCHEMES) {
    test(`bars nobody, and fits a phone and a desk, ${scheme}`, async () => {
      const { page } = lookedAt;
      await page.emulateMedia({ colorScheme: scheme });
      await load(lookedAt, `${server.url}/docs#tag/profile/GET/user/full`);
      await trying(page, "/user/full").waitFor();
      expect(await page.evaluate("document.body.className")).toContain(`${scheme}-mode`);
      await page.addScriptTag({ path: AXE });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect({ width, found: await barriers(page) }).toEqual({ width, found: [] });
        expect(
          await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
        ).toBeLessThanOrEqual(0);
      }
    });
  }
});
