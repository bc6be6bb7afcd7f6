import { tokenAt, tokenStart } from "./json-tokens.ts";

/** What may come next: a value, a key, a colon, the comma or closing bracket behind a value, or nothing more. */
type Expected = "value" | "first-value" | "key" | "first-key" | "colon" | "end" | "nothing";

/** Where a text stops being JSON: the offset of the first thing that cannot stand there, and what could. */
export interface JsonError {
  readonly offset: number;
  readonly expected: Expected;
}

/** `JSON.parse` of this runtime names no position, and a person with a file of a thousand lines needs one. */
export function jsonErrorOf(text: string): JsonError {
  const open: ("[" | "{")[] = [];
  let next: Expected = "value";
  for (let at = 0; ; ) {
    const offset = tokenStart(text, at);
    const token = tokenAt(text, offset);
    if (!token) return { offset, expected: next };
    at = token.end;
    const sign = token.kind === "sign" ? text[offset] : undefined;
    const isValue = next === "value" || next === "first-value";
    const top = open.at(-1);
    if (isValue && token.kind !== "sign") next = top ? "end" : "nothing";
    else if (isValue && (sign === "[" || sign === "{")) {
      open.push(sign);
      next = sign === "[" ? "first-value" : "first-key";
    } else if ((next === "key" || next === "first-key") && token.kind === "string") next = "colon";
    else if (next === "colon" && sign === ":") next = "value";
    else if (next === "end" && sign === ",") next = top === "[" ? "value" : "key";
    else if (sign === "]" && top === "[" && (next === "end" || next === "first-value")) {
      open.pop();
      next = open.length > 0 ? "end" : "nothing";
    } else if (sign === "}" && top === "{" && (next === "end" || next === "first-key")) {
      open.pop();
      next = open.length > 0 ? "end" : "nothing";
    } else return { offset, expected: next };
  }
}
