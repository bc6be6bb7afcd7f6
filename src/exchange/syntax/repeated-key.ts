import { nextToken, type Token } from "./json-tokens.ts";

/** A name that one object of a JSON text has twice: the path to it, and where both stand. */
interface RepeatedKey {
  readonly path: readonly (string | number)[];
  readonly first: number;
  readonly second: number;
}

/**
 * The first name that an object of a JSON text has twice. `JSON.parse` takes the last in silence. The text must be
 * JSON, and its value have so many names.
 */
export function repeatedKey(text: string, names: number): RepeatedKey | undefined {
  // Where as many names are left as could stand in the text, none was dropped: most texts end here.
  return names === countColons(text) ? undefined : findRepeated(text);
}

/** Before a colon, in a string or behind a name: few programs write the latter. */
const SPACES = [" :", "\t:", "\n:", "\r:"];
const COLON = /"[ \t\r\n]*:/g;

/** How many colons follow a quote: there is one at each name, and in some strings. */
function countColons(text: string): number {
  if (SPACES.some((space) => text.includes(space))) return text.match(COLON)?.length ?? 0;
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count++;
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
