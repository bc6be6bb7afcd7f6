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

/** How often a quote and a colon follow each other: at each name, if no space is between them, and in some strings. */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count++;
  return count;
}

/** A string, with what makes it a name, or one of the signs that open, part and close. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{},]/gs;

interface Level {
  readonly names: Map<string, number> | undefined;
  step: string | number;
}

function findRepeated(text: string): RepeatedKey | undefined {
  const levels: Level[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === "{") levels.push({ names: new Map(), step: "" });
    else if (token === "[") levels.push({ names: undefined, step: 0 });
    else if (token === "}" || token === "]") levels.pop();
    else if (token === ",") {
      if (level && typeof level.step === "number") level.step++;
    } else if (colon !== undefined && level?.names) {
      const name = JSON.parse(token.slice(0, token.length - colon.length)) as string;
      level.step = name;
      const first = level.names.get(name);
      if (first !== undefined) return { path: levels.map(({ step }) => step), first, second: index };
      level.names.set(name, index);
    }
  }
  return undefined;
}
