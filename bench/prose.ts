import { WORDS } from "./words.ts";

/** As many places as a word is drawn from. */
const PLACES = 65_536;

/**
 * Places filled with the numbers 0 to `count - 1`, each as often as Zipf and Mandelbrot say of a word of that rank: the
 * first few are most of a text, and most are rare.
 */
function zipf(count: number): Uint16Array {
  const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 2.7));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const places = new Uint16Array(PLACES);
  let sum = 0;
  for (const [rank, weight] of weights.entries()) {
    const start = Math.round((sum / total) * PLACES);
    sum += weight;
    places.fill(rank, start, Math.round((sum / total) * PLACES));
  }
  return places;
}

const RANKS = new Map<number, Uint16Array>();

function ranksOf(count: number): Uint16Array {
  const ranks = RANKS.get(count) ?? zipf(count);
  RANKS.set(count, ranks);
  return ranks;
}

/** Texts that differ from person to person as people's do, and are the same in every run. */
export class Pen {
  #state: number;

  constructor(person: number) {
    // Neighbours must not begin alike.
    this.#state = Math.imul(person, 0x9e3779b1) ^ 0x5bd1e995;
  }

  /** A whole number below the bound (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** The first more often than the last, as it is with what people like. */
  likelyOneOf<Item>(items: readonly Item[]): Item {
    return items[ranksOf(items.length)[this.below(PLACES)] as number] as Item;
  }

  /** Different ones, in no order. */
  some<Item>(items: readonly Item[], count: number): Item[] {
    const chosen = new Set<Item>();
    while (chosen.size < count) chosen.add(this.likelyOneOf(items));
    return [...chosen];
  }

  /** A few words, the first with a capital. */
  phrase(words: number): string {
    let text = this.likelyOneOf(WORDS);
    for (let count = 1; count < words; count++) text += ` ${this.likelyOneOf(WORDS)}`;
    return text[0]?.toUpperCase() + text.slice(1);
  }

  /** Sentences, until there are so many characters, and a few more. */
  prose(least: number): string {
    let text = this.#sentence();
    while (text.length < least) text += ` ${this.#sentence()}`;
    return text;
  }

  #sentence(): string {
    const words = 4 + this.below(8) + this.below(10);
    const comma = words > 9 ? 3 + this.below(words - 6) : 0;
    if (comma === 0) return `${this.phrase(words)}.`;
    const rest = this.phrase(words - comma);
    return `${this.phrase(comma)}, ${rest[0]?.toLowerCase()}${rest.slice(1)}.`;
  }
}
