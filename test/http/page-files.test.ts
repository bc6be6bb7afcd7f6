import { describe, expect, test } from "bun:test";
import { STYLE } from "../../src/html/style.ts";
import { startTestServer } from "../support/server.ts";

const ALL_FONTS_BYTES = 40_000;

describe("the fonts of pages", () => {
  const paths = [...STYLE.matchAll(/url\(([^)]*)\)/g)].map((match) => match[1] ?? "");

  test("are served by us, may be kept for ever, and have at most 40 KB in all", async () => {
    await using server = await startTestServer();
    expect(paths).toHaveLength(3);
    let bytes = 0;
    for (const path of paths) {
      const response = await fetch(server.url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("font/woff2");
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      const font = await response.bytes();
      expect(new TextDecoder().decode(font.subarray(0, 4))).toBe("wOF2");
      const digest = new Bun.CryptoHasher("sha256").update(font).digest("hex");
      expect(path).toContain(`-${digest.slice(0, 16)}.woff2`);
      bytes += font.length;
    }
    expect(bytes).toBeLessThanOrEqual(ALL_FONTS_BYTES);
  });

  test("are no reason to wait for a text", () => {
    expect(STYLE.match(/font-display:swap/g)).toHaveLength(3);
  });
});

describe("GET /qr/:slug.svg", () => {
  test("draws the page's public address", async () => {
    await using server = await startTestServer({ publicUrl: "https://links.example" });
    const response = await fetch(`${server.url}/qr/everything-1.svg`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
    const { toString: drawn } = await import("qrcode");
    expect(await response.text()).toBe(await drawn("https://links.example/t/everything-1", { type: "svg" }));
  });

  test("is not there for a page that is not", async () => {
    await using server = await startTestServer();
    for (const name of ["nowhere.svg", "everything-1", "everything-1.png"])
      expect((await fetch(`${server.url}/qr/${name}`)).status).toBe(404);
  });
});
