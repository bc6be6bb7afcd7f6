import { nextToken, tokenStart } from "./json-tokens.ts";
import type { Places, Span } from "./position.ts";

/** What an object or an array holds: a span for each name or index. */
type Held = ReadonlyMap<string | number, Span>;

/** A text that is JSON. What an object or an array of it holds is read once, when it is first asked for. */
export class JsonPlaces implements Places {
  readonly #text: string;
  readonly #held = new Map<number, Held>();

  constructor(text: string) {
    this.#text = text;
  }

  locate(path: readonly (string | number)[]): Span {
    const start = tokenStart(this.#text, 0);
    let found: Span = { name: start, value: start };
    for (const step of path) {
      const held = this.#heldAt(found.value).get(step);
      if (!held) break;
      found = held;
    }
    return found;
  }

  #heldAt(start: number): Held {
    return this.#held.getOrInsertComputed(start, () => heldIn(this.#text, start));
  }
}

function heldIn(text: string, start: number): Held {
  const held = new Map<string | number, Span>();
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return held;
  let token = nextToken(text, start + 1);
  for (let index = 0; token && !isClosing(text[token.start]); index++) {
    const name = token.start;
    let step: string | number = index;
    if (isObject) {
      step = JSON.parse(text.slice(name, token.end)) as string;
      const colon = nextToken(text, token.end);
      token = colon && nextToken(text, colon.end);
    }
    if (!token) break;
    held.set(step, { name, value: token.start });
    token = nextToken(text, endOfValue(text, token.start));
    if (token && text[token.start] === ",") token = nextToken(text, token.end);
  }
  return held;
}

function endOfValue(text: string, start: number): number {
  let end = start;
  let depth = 0;
  do {
    const token = nextToken(text, end);
    if (!token) return text.length;
    const sign = text[token.start];
    if (sign === "{" || sign === "[") depth++;
    else if (isClosing(sign)) depth--;
    end = token.end;
  } while (depth > 0);
  return end;
}

function isClosing(sign: string | undefined): boolean {
  return sign === "}" || sign === "]";
}
