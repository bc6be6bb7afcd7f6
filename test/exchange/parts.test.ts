import { describe, expect, test } from "bun:test";
import { stringify } from "yaml";
import { bytesOfFile } from "../../src/exchange/bytes.ts";
import { type Part, partsOf, Rereader, valuesOf } from "../../src/exchange/parts.ts";
import type { PlacedValue } from "../../src/exchange/syntax/value.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const PROSE = "Drew up charts for small boats, and wrote down why. ".repeat(20);
const VALUES = Array.from({ length: 1500 }, (_, index) => ({ index, prose: PROSE }));

const FORMS = [
  { name: "people.ndjson", content: VALUES.map((value) => `${JSON.stringify(value)}\n`).join("") },
  { name: "people.json", content: JSON.stringify(VALUES) },
  { name: "people.yaml", content: stringify(VALUES) },
];

describe.each(FORMS)("the parts of $name", ({ name, content }) => {
  test("are several where it is long, hold every value once, and can be read again each by itself", async () => {
    using folder = new TemporaryFolder();
    const path = folder.file(name);
    await Bun.write(path, content);
    const read: { part: Part; values: PlacedValue[] }[] = [];
    for await (const { part, content } of partsOf({ name, content: bytesOfFile(path) }))
      read.push({ part, values: [...valuesOf(content)] });
    expect(read.length).toBeGreaterThan(3);
    const placeOf = (number: number) => `${name}: ${name.endsWith(".ndjson") ? "line" : "record"} ${number}`;
    expect(read.flatMap(({ values }) => values)).toEqual(
      VALUES.map((value, index) => ({ place: placeOf(index + 1), value })),
    );
    const bytes = read.reduce((sum, { part }) => sum + part.bytes, 0);
    expect(bytes / content.length).toBeCloseTo(1, 3);

    const rereader = new Rereader();
    for (const { part, values } of read.toReversed())
      expect([...(await rereader.valuesOf(part))]).toEqual(values);
  });
});
