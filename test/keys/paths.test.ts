import { describe, expect, test } from "bun:test";
import { KEY_PATHS } from "../../src/contract/access.ts";
import { parsePaths } from "../../src/keys/paths.ts";

describe("a list of paths", () => {
  test("names each once, in the order of the table", () => {
    expect(parsePaths("links, full,links")).toEqual(["full", "links"]);
    expect(parsePaths(KEY_PATHS.toReversed().join())).toEqual([...KEY_PATHS]);
  });

  test.each(["", " ", "full,", "nowhere", "Full", "link", "linktree"])("cannot be %p", (text) => {
    expect(parsePaths(text)).toBeUndefined();
  });
});
