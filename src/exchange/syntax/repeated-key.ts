import { nextToken, type Token } from "./json-tokens.ts";

/** A name that one object of a JSON text has twice: the path to it, and where both stand. */
export interface RepeatedKey {
  readonly path: readonly (string | number)[];
  readonly first: number;
  readonly second: number;
}

/**
 * The first name that an object of a JSON text has twice. `JSON.parse` takes the last in silence. The text must be
 * JSON, and the value what it parses to.
 */
export function repeatedKey(text: string, value: unknown): RepeatedKey | undefined {
  // Where as many names are left as could stand in the text, none was dropped: most texts end here.
  return countKeys(value) === countColons(text) ? undefined : findRepeated(text);
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count++;
    const field = (value as Record<string, unknown>)[key];
    if (typeof field === "object") count += countKeys(field);
  }
  return count;
}

/** A colon behind a quote: there is one at each name, and in some strings. */
const COLON = /"[ \t\r\n]*:/g;

function countColons(text: string): number {
  COLON.lastIndex = 0;
  let count = 0;
  while (COLON.test(text)) count++;
  return count;
}

interface Level {
  readonly names: Map<string, number> | undefined;
  step: string | number;
}

function findRepeated(text: string): RepeatedKey | undefined {
  const levels: Level[] = [];
  let before: Token | undefined;
  for (let token = nextToken(text, 0); token; before = token, token = nextToken(text, token.end)) {
    if (token.kind !== "sign") continue;
    const sign = text[token.start];
    const level = levels.at(-1);
    if (sign === "{") levels.push({ names: new Map(), step: "" });
    else if (sign === "[") levels.push({ names: undefined, step: 0 });
    else if (sign === "}" || sign === "]") levels.pop();
    else if (sign === ",") {
      if (level && typeof level.step === "number") level.step++;
    } else if (before && level?.names) {
      const name = JSON.parse(text.slice(before.start, before.end)) as string;
      level.step = name;
      const first = level.names.get(name);
      if (first !== undefined) return { path: levels.map(({ step }) => step), first, second: before.start };
      level.names.set(name, before.start);
    }
  }
  return undefined;
}
