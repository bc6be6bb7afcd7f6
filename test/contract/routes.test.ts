import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { MAX_ENDPOINTS } from "../../src/limits/memory-window.ts";

describe("the routes of the API", () => {
  test("are no more than a limiter can tell apart", () => {
    expect(ROUTES.length).toBeLessThanOrEqual(MAX_ENDPOINTS);
  });

  test("each have a name of their own, under which they are counted", () => {
    expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length);
  });
});
