const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const SCALAR = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])`;
const TOKEN = new RegExp(String.raw`[ \t\r\n]*(?:([[\]{},:])|(${STRING})|(${SCALAR}))`, "y");

/** What may come next: a value, a key, a colon, or the comma or closing bracket behind a value. */
type Expected = "value" | "first-value" | "key" | "first-key" | "colon" | "end";

/** Where a text stops being JSON: the offset of the first thing that cannot stand there, and what could. */
export interface JsonError {
  readonly offset: number;
  readonly expected: Expected;
}

/** `JSON.parse` of this runtime names no position, and a person with a file of a thousand lines needs one. */
export function jsonErrorOf(text: string): JsonError {
  const open: ("[" | "{")[] = [];
  let next: Expected = "value";
  TOKEN.lastIndex = 0;
  for (;;) {
    const before = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    const offset = before + (/^[ \t\r\n]*/.exec(text.slice(before, before + 10_000))?.[0].length ?? 0);
    if (!match) return { offset, expected: next };
    const [, sign, string, scalar] = match;
    const isValue = next === "value" || next === "first-value";
    const top = open.at(-1);
    if (isValue && (string !== undefined || scalar !== undefined)) next = "end";
    else if (isValue && (sign === "[" || sign === "{")) {
      open.push(sign);
      next = sign === "[" ? "first-value" : "first-key";
    } else if ((next === "key" || next === "first-key") && string !== undefined) next = "colon";
    else if (next === "colon" && sign === ":") next = "value";
    else if (next === "end" && sign === "," && top) next = top === "[" ? "value" : "key";
    else if (sign === "]" && top === "[" && (next === "end" || next === "first-value")) {
      open.pop();
      next = "end";
    } else if (sign === "}" && top === "{" && (next === "end" || next === "first-key")) {
      open.pop();
      next = "end";
    } else return { offset, expected: next };
  }
}
