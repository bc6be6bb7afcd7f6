import { describe, expect, test } from "bun:test";
import { asVersion30 } from "../../src/contract/openapi/version-3-0.ts";
import { RECORD_SCHEMA_FILE } from "../../src/contract/record-schema.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import release from "../../vendor/scalar/release.json" with { type: "json" };
import { openApi, text as openApiText } from "../support/openapi.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const PLAIN = { "Accept-Encoding": "identity" };
const GZIP = { "Accept-Encoding": "gzip" };

/** The path of the one script that the page of the reference names. */
async function scriptPath(server: TestServer): Promise<string> {
  const page = await (await server.get("/docs", {})).text();
  const paths = [...page.matchAll(/<script src="([^"]+)">/g)].map((match) => match[1] ?? "");
  expect(paths).toHaveLength(1);
  return paths[0] as string;
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

test("GET /schema/record.json sends the schema of a record as it is kept, without a key", async () => {
  await using server = await startTestServer();
  const response = await server.get("/schema/record.json", PLAIN);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(await Bun.file(RECORD_SCHEMA_FILE).text());
});

describe("GET /openapi.json", () => {
  test.each([PLAIN, GZIP])("sends the document as it is kept, without a key (%o)", async (headers) => {
    await using server = await startTestServer();
    const response = await server.get("/openapi.json", headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe(openApiText);
  });

  test("is less than an eighth as long when it is compressed", async () => {
    await using server = await startTestServer();
    const { headers } = await server.get("/openapi.json", GZIP, "HEAD");
    expect(headers.get("Content-Encoding")).toBe("gzip");
    expect(Number(headers.get("Content-Length"))).toBeLessThan(openApiText.length / 8);
  });

  test("may be kept by any cache for minutes, and read by pages of any origin", async () => {
    await using server = await startTestServer();
    const { headers } = await server.get("/openapi.json", { ...PLAIN, Origin: "https://tool.example" });
    expect(headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(headers.get("Vary")).toBe("Accept-Encoding");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  });

  test("is not sent again to a browser that has it, in whichever form", async () => {
    await using server = await startTestServer();
    const tags = new Set<string>();
    for (const form of [PLAIN, GZIP]) {
      const etag = (await server.get("/openapi.json", form)).headers.get("ETag") ?? "";
      tags.add(etag);
      for (const asked of [PLAIN, GZIP]) {
        const again = await server.get("/openapi.json", { ...asked, "If-None-Match": etag });
        expect(again.status).toBe(304);
        expect(again.headers.get("ETag")).toBe(etag);
        expect(again.headers.get("Cache-Control")).toBe("public, max-age=300");
        expect(await again.text()).toBe("");
      }
    }
    expect(tags.size).toBe(2);
  });

  test("counts towards no limit, whatever key comes along", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    for (let times = 0; times < 3; times++) {
      const response = await server.get("/openapi.json");
      expect(response.status).toBe(200);
      expect(response.headers.get("X-RateLimit-Limit")).toBeNull();
    }
  });
});

test("GET /openapi-3.0.json sends the same in the words of OpenAPI 3.0, under a tag of its own", async () => {
  await using server = await startTestServer();
  const [today, older] = await Promise.all(
    ["/openapi.json", "/openapi-3.0.json"].map((path) => server.get(path, GZIP)),
  );
  expect(older?.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(older?.headers.get("ETag")).not.toBe(today?.headers.get("ETag") ?? null);
  expect(await older?.json()).toEqual(asVersion30(openApi));
});

describe("GET /docs", () => {
  test("is a page that runs one script of this server, and nothing that stands in the page", async () => {
    await using server = await startTestServer();
    const response = await server.get("/docs", {});
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const policy = new Map(
      (response.headers.get("Content-Security-Policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources.join(" ")];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'unsafe-inline'",
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
  });

  test("names no other host", async () => {
    await using server = await startTestServer();
    const page = await (await server.get("/docs", {})).text();
    expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toContain("//");
  });
});

describe("the script of the reference", () => {
  test.each([PLAIN, GZIP])("is the release that it is said to be (%o)", async (headers) => {
    await using server = await startTestServer();
    const path = await scriptPath(server);
    expect(path).toContain(release.sha256.slice(0, 16));
    const response = await server.get(path, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    const bytes = await response.bytes();
    expect(sha256(bytes)).toBe(release.sha256);
    expect(new TextDecoder().decode(bytes)).toContain(release.version);
  });

  test("is sent compressed, and kept for ever", async () => {
    await using server = await startTestServer();
    const { headers } = await server.get(await scriptPath(server), GZIP, "HEAD");
    expect(headers.get("Content-Encoding")).toBe("gzip");
    expect(Number(headers.get("Content-Length"))).toBeLessThan(1_300_000);
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("Vary")).toBe("Accept-Encoding");
  });
});

test.each(["/openapi.json", "/docs"])(
  "%s carries the security headers and a request id, and refuses to be written to",
  async (path) => {
    await using server = await startTestServer();
    const { headers } = await server.get(path, { "X-Request-Id": "mine" });
    expect(headers.get("X-Request-Id")).toBe("mine");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Content-Security-Policy")).toStartWith("default-src 'none'");
    const refused = await server.get(path, {}, "POST");
    expect(refused.status).toBe(405);
    expect(refused.headers.get("Allow")).toBe("GET, HEAD");
  },
);

test("/llms.txt says in plain text what the API is: every path with its limit, and where agents ask", async () => {
  await using server = await startTestServer({ publicUrl: "https://links.example" });
  const response = await server.get("/llms.txt", {});
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const said = await response.text();
  expect(said).toStartWith("# Vitrine\n\n> ");
  for (const { path, summary } of ROUTES) {
    expect(said).toContain(path);
    expect(said).toContain(summary);
  }
  for (const path of ["/mcp", "/openapi.json", "/openapi-3.0.json", "/docs"])
    expect(said).toContain(`(https://links.example${path})`);
});
