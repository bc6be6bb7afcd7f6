import { nextToken } from "./json-tokens.ts";

/** The most objects and arrays that may lie within one another: far more than any record has, and no danger to the stack. */
export const MAX_DEPTH = 100;

/** Where a JSON text opens one too many. The value must be what the text parses to. */
export function tooDeepAt(text: string, value: unknown): number | undefined {
  if (!isDeeperThan(MAX_DEPTH, value)) return undefined;
  let depth = 0;
  for (let token = nextToken(text, 0); token; token = nextToken(text, token.end)) {
    const sign = text[token.start];
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    if (depth > MAX_DEPTH) return token.start;
  }
  return undefined;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  return false;
}
