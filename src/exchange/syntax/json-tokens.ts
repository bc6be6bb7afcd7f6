/** A piece of a JSON text: a sign, a string or any other value. Both are offsets; the end is behind it. */
export interface Token {
  readonly kind: "sign" | "string" | "scalar";
  readonly start: number;
  readonly end: number;
}

const SPACE = /[ \t\r\n]*/y;
const SIGN = /[[\]{},:]/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** What a string is made of (RFC 8259, section 7). One pattern of a whole string would give up on some megabytes. */
const PLAIN = /[ !#-[\]-\uffff]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where the next token begins, or what stands in its place. */
export function tokenStart(text: string, offset: number): number {
  return endOf(SPACE, text, offset) ?? offset;
}

/** The token that begins at an offset, or nothing where none does. */
export function tokenAt(text: string, start: number): Token | undefined {
  const sign = endOf(SIGN, text, start);
  if (sign !== undefined) return { kind: "sign", start, end: sign };
  const string = text[start] === '"' ? endOfString(text, start) : undefined;
  if (string !== undefined) return { kind: "string", start, end: string };
  const scalar = endOf(SCALAR, text, start);
  return scalar === undefined ? undefined : { kind: "scalar", start, end: scalar };
}

/** The first token at an offset or behind it. */
export function nextToken(text: string, offset: number): Token | undefined {
  return tokenAt(text, tokenStart(text, offset));
}

function endOfString(text: string, start: number): number | undefined {
  let end = start + 1;
  for (let at: number | undefined = end; at !== undefined; ) {
    end = at;
    at = endOf(PLAIN, text, end) ?? endOf(ESCAPE, text, end);
  }
  return text[end] === '"' ? end + 1 : undefined;
}

/** Where a match that begins at an offset ends. */
function endOf(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
