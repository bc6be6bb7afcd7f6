import { expect, test } from "bun:test";
import { loadPage } from "../../src/studio/page/files.ts";

test("the studio's page is minified, without what only its makers need, and below 60 KB compressed in all", async () => {
  const { html, assets } = await loadPage();
  let total = Bun.gzipSync(html).length;
  for (const [path, { bytes, gzipped }] of assets) {
    expect(html).toContain(path);
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toMatch(/columnNumber|NODE_ENV|sourceMappingURL/);
    expect(text.split("\n").length).toBeLessThan(20);
    total += gzipped.length;
  }
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(60_000);
});
