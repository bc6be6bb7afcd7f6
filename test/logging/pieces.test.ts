import { expect, test } from "bun:test";
import fc from "fast-check";
import { inPieces, MAX_PIECE_BYTES } from "../../src/logging/pieces.ts";

test("whatever the lines, they are written in order, none of them in two pieces, and no piece longer than need be", () => {
  const anyLine = fc
    .integer({ min: 0, max: 2 * MAX_PIECE_BYTES })
    .map((length) => `${"é".repeat(length / 2)}\n`);
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 40, size: "max" }), (lines) => {
      const bytes = new TextEncoder().encode(lines.join(""));
      const pieces = [...inPieces(bytes)].map((piece) => Buffer.from(piece).toString());
      expect(pieces.join("")).toBe(lines.join(""));
      for (const piece of pieces) {
        expect(piece).toEndWith("\n");
        if (Buffer.byteLength(piece) > MAX_PIECE_BYTES) expect(piece.indexOf("\n")).toBe(piece.length - 1);
      }
    }),
  );
});
