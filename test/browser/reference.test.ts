import { expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describeInBrowser, type Scheme, type Visitor } from "../support/browser.ts";
import { openApi } from "../support/openapi.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

const AXE = fileURLToPath(import.meta.resolve("axe-core"));
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

/** What axe finds that bars somebody from using the page. */
async function barriers(page: Page): Promise<string[]> {
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return (
    found.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      // Scalar's buttons that copy a code block have no name.
      .filter(
        ({ id, nodes }) => id !== "button-name" || !nodes.every(({ html }) => html.includes("copy-button")),
      )
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  );
}

describeInBrowser("in a browser, the API reference", (open) => {
  test("shows every endpoint, and asks this server alone", async () => {
    await using server = await startTestServer();
    await using visitor = await open(`${server.url}/docs`, { width: 1280 });
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
    await using server = await startTestServer();
    await using visitor = await open(`${server.url}/docs`, { width: 1280 });
    const { page } = visitor;
    await page.getByRole("link", { name: /GET$/ }).first().waitFor();
    expect(await page.getByRole("link", { name: /GET$/ }).count()).toBe(OPERATIONS.length);
    expect(await page.getByRole("link", { name: /HEAD$/ }).count()).toBe(0);
    await page.getByText("HEAD answers as GET does, without the body.").waitFor();
  });

  test.each([390, 1280])("tries a request with a key and shows the answer, %i pixels wide", async (width) => {
    await using server = await startTestServer();
    const { key } = await server.key();
    await using visitor = await open(`${server.url}/docs#tag/profile/GET/user/full`, { width });
    const { page } = visitor;
    await trying(page, "/user/full").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByPlaceholder("Token").fill(key);
    await dialog.getByRole("button", { name: /^Send get request/ }).click();
    await dialog.getByText(writtenRecord(1).email).waitFor();
    await dialog.getByText("200 OK").waitFor();

    const asked = server.logged().filter(({ route }) => route === "/user/full");
    expect(asked).toMatchObject([{ method: "GET", status: 200, userId: (await server.record()).id }]);
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
      await using server = await startTestServer();
      await using visitor = await open(`${server.url}/docs#tag/profile/GET/user/full`, {
        scheme,
        bypassPolicy: true,
      });
      const { page } = visitor;
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
