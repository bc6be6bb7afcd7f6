import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOfFile } from "../../src/exchange/bytes.ts";
import { linesOf, piecesOfLines, valuesOfLines } from "../../src/exchange/syntax/ndjson.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** Numbers by their lines; blank lines among them, lines that are longer than a piece, and perhaps no last newline. */
const anyLines = fc.record({
  lines: fc.array(
    fc.oneof(
      fc.constant(""),
      fc.nat().map(String),
      fc.nat(300).map((more) => `1${"0".repeat(more)}`),
    ),
  ),
  end: fc.constantFrom("", "\n"),
});

describe("a file of lines", () => {
  test("comes in pieces of whole lines, of any size, with the number of the first of each", async () => {
    using folder = new TemporaryFolder();
    const path = folder.file("any.ndjson");
    await fc.assert(
      fc.asyncProperty(anyLines, fc.integer({ min: 1, max: 200 }), async ({ lines, end }, size) => {
        const text = lines.join("\n") + end;
        await Bun.write(path, text);
        const found: { place: string; value: unknown }[] = [];
        let whole = "";
        for await (const { lines: at, bytes } of piecesOfLines(bytesOfFile(path), size)) {
          expect(at.start).toBe(whole.length);
          whole += Buffer.from(bytes);
          expect(at.end).toBe(whole.length);
          expect(whole.length === text.length || whole.endsWith("\n")).toBe(true);
          found.push(...(valuesOfLines("any", at.first, bytes) as Iterable<(typeof found)[number]>));
        }
        expect(whole).toBe(text);
        const expected = text.split("\n").flatMap((line, index) => {
          return line === "" ? [] : [{ place: `any: line ${index + 1}`, value: Number(line) }];
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  test("has lines that end at a newline or with the file", () => {
    const lines = [...linesOf(Buffer.from("a\n\nb"))].map((line) => line.toString());
    expect(lines).toEqual(["a", "", "b"]);
  });
});
