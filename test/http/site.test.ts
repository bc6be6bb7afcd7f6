import { describe, expect, test } from "bun:test";
import { withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("GET /", () => {
  test("leads to the one public profile, whoever else is there", async () => {
    const hidden = withValue(writtenRecord(2), "profile.isPublic", false);
    await using server = await startTestServer({ records: [writtenRecord(1), hidden] });
    const response = await fetch(server.url, { redirect: "manual" });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/p/person-1"]);
  });

  test("is a front page with the operator's name where there are several or none, and says nothing of them", async () => {
    const hidden = [1, 2].map((number) => withValue(writtenRecord(number), "profile.isPublic", false));
    for (const records of [[writtenRecord(1), writtenRecord(2)], hidden]) {
      await using server = await startTestServer({ records, siteName: "Links <of> the museum" });
      const response = await fetch(server.url, { redirect: "manual" });
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain("<title>Links &lt;of&gt; the museum</title>");
      expect(text).toContain('href="/docs"');
      expect(text).not.toMatch(/person[ -]?\d|vitrine/i);
    }
  });
});

describe("what programs look for at every site", () => {
  test("is there: robots.txt, an icon, and whom to tell of security problems", async () => {
    await using server = await startTestServer({
      securityContact: "mailto:security@links.example",
      publicUrl: "https://links.example",
    });
    const get = (path: string) => fetch(server.url + path);
    expect(await (await get("/robots.txt")).text()).toContain("Disallow: /user/");
    const icon = await get("/favicon.ico");
    expect(icon.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(await icon.text()).toStartWith("<svg ");
    const lines = (await (await get("/.well-known/security.txt")).text()).split("\n");
    expect(lines[0]).toBe("Contact: mailto:security@links.example");
    const expires = Date.parse(lines[1]?.replace("Expires: ", "") ?? "");
    expect(expires).toBeGreaterThan(server.clock.now());
    expect(lines[2]).toBe("Canonical: https://links.example/.well-known/security.txt");
  });

  test("names nobody for security problems where the operator did not", async () => {
    await using server = await startTestServer();
    expect((await fetch(`${server.url}/.well-known/security.txt`)).status).toBe(404);
  });
});

describe("a path that is not there", () => {
  test("is a page for a browser, and JSON for a program", async () => {
    await using server = await startTestServer();
    const page = await fetch(`${server.url}/nowhere`, { headers: BROWSER });
    expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
    const markup = await page.text();
    expect(markup).toContain("<h1>Nothing on this shelf</h1>");
    expect(markup).toContain('<a href="/">Front page</a>');
    const answer = await fetch(`${server.url}/nowhere`, { headers: { Accept: "application/json" } });
    expect(await answer.json()).toEqual({
      statusCode: 404,
      message: "Cannot GET /nowhere",
      error: "Not Found",
    });
  });

  test("of the API, or where agents look for a way in, is JSON for a browser too", async () => {
    await using server = await startTestServer();
    for (const path of ["/user/nowhere", "/mcp/nowhere", "/.well-known/oauth-protected-resource"]) {
      const answer = await fetch(server.url + path, { headers: BROWSER });
      expect(await answer.json()).toMatchObject({ statusCode: 404, message: `Cannot GET ${path}` });
    }
  });
});
