import { afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import { Parser, stringify } from "yaml";
import { Positions } from "../../src/exchange/positions.ts";

afterEach(() => mock.restore());

/** Records of which each has a field that is wrong, as a source has them, and the problems that are found in them. */
function wrongRecords(count: number, write: (records: unknown) => string, format: "json" | "yaml") {
  const records = Array.from({ length: count }, (_, index) => ({ email: `${index}@a.example`, jobs: [5] }));
  const bytes = new TextEncoder().encode(write(records));
  const content = {
    size: bytes.length,
    slice: async (start: number, end: number) => bytes.slice(start, end),
  };
  return {
    part: { source: { name: "people", content }, bytes: bytes.length, format, first: 0, count },
    problems: records.map((_, index) => ({
      record: `people: record ${index + 1}`,
      problem: { place: "jobs[0]", message: "is wrong" },
    })),
  };
}

/** How often a text is searched while the places of all problems are told. */
async function searchesFor(count: number): Promise<number> {
  const { part, problems } = wrongRecords(count, (records) => JSON.stringify(records, null, 2), "json");
  const spies = [spyOn(RegExp.prototype, "test"), spyOn(String.prototype, "indexOf")];
  const located = await new Positions().locate(part, problems);
  const searches = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  mock.restore();
  expect(located.at(-1)?.position).toMatchObject({ line: 6 * count - 1, column: 7 });
  return searches;
}

describe("telling where many problems are", () => {
  test("takes as much work for each, however long the JSON file is", async () => {
    const few = await searchesFor(20);
    expect(await searchesFor(200)).toBeWithin(5 * few, 11 * few);
  });

  test("parses a YAML file once", async () => {
    const { part, problems } = wrongRecords(50, stringify, "yaml");
    const parse = spyOn(Parser.prototype, "parse");
    const located = await new Positions().locate(part, problems);
    expect(located.map(({ position }) => position?.line)).toEqual(problems.map((_, index) => 3 * index + 3));
    expect(parse).toHaveBeenCalledTimes(1);
  });
});
