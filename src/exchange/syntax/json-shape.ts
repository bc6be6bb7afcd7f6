import { nextToken } from "./json-tokens.ts";

/** The most objects and arrays that may lie within one another: far more than any record has, and no danger to the stack. */
const MAX_DEPTH = 100;

/** What a value shows of the text that it was parsed from. */
interface Shape {
  /** How many names its objects have. */
  readonly names: number;
  readonly isTooDeep: boolean;
}

/** Both in one walk, since it is made for every record of an import. */
export function shapeOf(value: unknown): Shape {
  let isTooDeep = false;
  function namesIn(holder: object, depth: number): number {
    if (depth > MAX_DEPTH) {
      isTooDeep = true;
      return 0;
    }
    let names = 0;
    if (Array.isArray(holder)) {
      for (const item of holder)
        if (typeof item === "object" && item !== null) names += namesIn(item, depth + 1);
      return names;
    }
    for (const name in holder) {
      names++;
      const field = (holder as Record<string, unknown>)[name];
      if (typeof field === "object" && field !== null) names += namesIn(field, depth + 1);
    }
    return names;
  }
  const names = typeof value === "object" && value !== null ? namesIn(value, 1) : 0;
  return { names, isTooDeep };
}

/** Where a JSON text opens one object or array too many. */
export function tooDeepAt(text: string): number {
  let depth = 0;
  let token = nextToken(text, 0);
  for (; token; token = nextToken(text, token.end)) {
    const sign = text[token.start];
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    if (depth > MAX_DEPTH) break;
  }
  return token?.start ?? text.length;
}
