import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsonPlaces } from "../../src/exchange/syntax/json-locate.ts";

type Path = (string | number)[];

/** Every value within a value, with the path to it. */
function* within(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  yield { path, value };
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* within(item, [...path, index]);
  else if (typeof value === "object" && value !== null)
    for (const [name, field] of Object.entries(value)) yield* within(field, [...path, name]);
}

describe("a value of a JSON text", () => {
  test("is found by its path, whatever the text and however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", "\t", "  "), (whole, indent) => {
        const text = JSON.stringify(whole, null, indent);
        const places = new JsonPlaces(text);
        for (const { path, value } of within(JSON.parse(text))) {
          const span = places.locate(path);
          const levels = path.length;
          const laidOut = JSON.stringify(value, null, indent).replaceAll("\n", `\n${indent.repeat(levels)}`);
          expect(text.slice(span.value)).toStartWith(laidOut);
          const name = path.at(-1);
          expect(text.slice(span.name)).toStartWith(
            typeof name === "string" ? JSON.stringify(name) : laidOut,
          );
        }
      }),
    );
  });

  test("that is not there is looked for where it would be", () => {
    const places = new JsonPlaces('{"a": [{}, 1]}');
    expect(places.locate(["a", 0, "b"])).toEqual({ name: 7, value: 7 });
    expect(places.locate(["a", 2])).toEqual({ name: 1, value: 6 });
    expect(places.locate(["b"])).toEqual({ name: 0, value: 0 });
  });
});
