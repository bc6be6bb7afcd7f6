import { describe, expect, test } from "bun:test";
import ICAL from "ical.js";
import { withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

const hidden = withValue(writtenRecord(2), "profile.isPublic", false);

describe("GET /p/:slug", () => {
  test("answers anybody with the page of a public profile, under a policy of its own, and counts nothing", async () => {
    await using server = await startTestServer();
    const response = await fetch(`${server.url}/p/person-1`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toStartWith('<!doctype html><html lang="en" dir="ltr"><head>');
    expect(text).toContain('<link rel="canonical" href="/p/person-1">');
    expect(text).toContain("<h1>Person 1</h1>");
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
    const digest = new Bun.CryptoHasher("sha256").update(style).digest("base64");
    expect(response.headers.get("Content-Security-Policy")).toContain(`style-src 'sha256-${digest}';`);
    expect(await server.counts()).toEqual([]);
  });

  test("answers 304 to who has it, in either encoding", async () => {
    await using server = await startTestServer();
    for (const encoding of ["gzip", "identity"]) {
      const first = await fetch(`${server.url}/p/person-1`, { headers: { "Accept-Encoding": encoding } });
      const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
      expect((await fetch(`${server.url}/p/person-1`, { headers })).status).toBe(304);
    }
  });

  test("is within 14 KB on its way, as an ordinary profile has it", async () => {
    await using server = await startTestServer();
    const response = await fetch(`${server.url}/p/person-1`, {
      headers: { "Accept-Encoding": "gzip" },
      decompress: false,
    });
    expect((await response.bytes()).length).toBeLessThan(14 * 1024);
  });

  test("says the same of a private profile as of one that is not there, whatever is asked of it", async () => {
    await using server = await startTestServer({ records: [writtenRecord(1), hidden] });
    const told = async (slug: string, ending: string) => {
      const response = await fetch(`${server.url}/p/${slug}${ending}`);
      const headers = Object.fromEntries(response.headers);
      for (const name of ["x-request-id", "date"]) delete headers[name];
      return { status: response.status, headers, text: await response.text() };
    };
    for (const ending of ["", ".vcf", ".json"]) {
      const answer = await told("person-2", ending);
      expect(answer.status).toBe(404);
      expect(answer).toEqual(await told("person-3", ending));
    }
  });
});

describe("GET /p/:slug.vcf", () => {
  test("is a card that a parser of vCards takes, without anything private", async () => {
    await using server = await startTestServer();
    const response = await fetch(`${server.url}/p/person-1.vcf`);
    expect(response.headers.get("Content-Type")).toBe("text/vcard; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toBe("attachment; filename*=UTF-8''person-1.vcf");
    const card = new ICAL.Component(ICAL.parse(await response.text()) as never);
    const values = (name: string) => card.getAllProperties(name).map((one) => one.getFirstValue());
    expect(card.name).toBe("vcard");
    expect(values("version")).toEqual(["4.0"]);
    expect(values("fn")).toEqual(["Person 1"]);
    expect(values("org").flat()).toEqual(["Now Ltd"]);
    expect([...values("email"), ...values("tel")]).toEqual([]);
  });

  test("is called like the profile, in a form that every program reads", async () => {
    const record = writtenRecord(1);
    const slug = "ö'(x)*";
    await using server = await startTestServer({
      records: [{ ...record, profile: { ...record.profile, slug } }],
    });
    const response = await fetch(`${server.url}/p/${encodeURIComponent(slug)}.vcf`);
    expect(response.headers.get("Content-Disposition")).toBe(
      "attachment; filename*=UTF-8''%C3%B6%27%28x%29%2A.vcf",
    );
  });
});

describe("GET /p/:slug.json", () => {
  test("is the public JSON Resume, for pages of any origin", async () => {
    await using server = await startTestServer();
    const response = await fetch(`${server.url}/p/person-1.json`, {
      headers: { Origin: "https://any.example" },
    });
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const { key } = await server.key({ view: "public" });
    const answer = await server.get("/user/resume", { Authorization: `Bearer ${key}` });
    expect(await response.text()).toBe(await answer.text());
    const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
    expect((await fetch(`${server.url}/p/person-1.json`, { headers })).status).toBe(304);
  });

  test.each([[[]], [["https://ada.example"]]])(
    "lets pages of any origin ask with headers of their own, where %j are listed",
    async (corsOrigins) => {
      await using server = await startTestServer({ corsOrigins });
      const preflight = {
        Origin: "https://any.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "content-type",
      };
      const { status, headers } = await server.get("/p/person-1.json", preflight, "OPTIONS");
      expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
      expect(headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
      expect(headers.get("Access-Control-Allow-Headers")).toContain("Content-Type");
      const page = await server.get("/p/person-1", { Origin: "https://any.example" });
      expect(page.headers.get("Access-Control-Allow-Origin")).toBeNull();
    },
  );

  test("tells pages of any origin that there is none", async () => {
    await using server = await startTestServer();
    const { status, headers } = await fetch(`${server.url}/p/nobody.json`);
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([404, "*"]);
    const page = await fetch(`${server.url}/p/nobody`);
    expect([page.status, page.headers.get("Access-Control-Allow-Origin")]).toEqual([404, null]);
  });

  test("comes before the page of somebody whose slug is called like it", async () => {
    const named = withValue(writtenRecord(2), "profile.slug", "person-1.json");
    const alone = withValue(writtenRecord(3), "profile.slug", "alone.vcf");
    await using server = await startTestServer({ records: [writtenRecord(1), named, alone] });
    const typeOf = async (path: string) => (await fetch(server.url + path)).headers.get("Content-Type");
    expect(await typeOf("/p/person-1.json")).toStartWith("application/json");
    expect(await typeOf("/p/alone.vcf")).toStartWith("text/html");
    expect(await typeOf("/p/alone.vcf.vcf")).toStartWith("text/vcard");
  });
});
