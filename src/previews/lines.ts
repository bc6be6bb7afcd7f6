import type { Typeface } from "./typeface.ts";

/** The room for a text, and the sizes of type that it may have there, the largest first. */
interface Room {
  readonly width: number;
  readonly sizes: readonly { readonly size: number; readonly lines: number }[];
  /** What stands between two letters, in parts of the size. */
  readonly spacing: number;
  /** What every line has room for before it. */
  readonly indent: string;
}

export interface SetText {
  readonly size: number;
  readonly lines: readonly string[];
}

/** Sets a text as large as it fits. One that fits nowhere is cut, and ends with dots. */
export function setText(text: string, { width, sizes, spacing, indent }: Room, typeface: Typeface): SetText {
  const widthOf = (line: string) => typeface.widthOf(indent + line) + spacing * (indent + line).length;
  const words = text.split(BREAKS);
  for (const { size, lines: most } of sizes) {
    const lines = broken(words, width / size, widthOf);
    if (lines.length <= most && lines.every((line) => widthOf(line) * size <= width))
      return { size, lines: balanced(words, lines.length, width / size, widthOf) };
  }
  const { size, lines: most } = sizes.at(-1) ?? { size: 0, lines: 0 };
  return { size, lines: cut(text, most, width / size, widthOf) };
}

/** Where a line may end: behind a space, and behind the hyphen between two words. */
const BREAKS = /(?<= )|(?<=\p{L}-)(?=\p{L})/u;

type WidthOf = (line: string) => number;

/** As many words in each line as fit. A word that is too long has a line of its own. */
function broken(words: readonly string[], width: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf((last + word).trimEnd()) <= width)
      lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

/** The same number of lines, as narrow as they can be: no line with a single short word at the end. */
function balanced(words: readonly string[], count: number, width: number, widthOf: WidthOf): string[] {
  let lines = broken(words, width, widthOf);
  for (let narrower = width; narrower > width / 2; narrower -= width / 24) {
    const tried = broken(words, narrower, widthOf);
    if (tried.length > count || tried.some((line) => widthOf(line) > narrower)) break;
    lines = tried;
  }
  return lines;
}

/** Letter by letter, so that even a word without an end is cut. */
function cut(text: string, most: number, width: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== "" && lines.length < most) {
    const isLast = lines.length === most - 1;
    const line = fitting(rest, width, widthOf, isLast);
    lines.push(line);
    if (isLast) break;
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

function fitting(text: string, width: number, widthOf: WidthOf, isLast: boolean): string {
  if (widthOf(text) <= width) return text;
  const end = isLast ? "…" : "";
  let letters = "";
  for (const letter of text) {
    if (widthOf(letters + letter + end) > width) break;
    letters += letter;
  }
  if (isLast) return letters.trimEnd() + end;
  const lastBreak = Math.max(letters.lastIndexOf(" "), letters.lastIndexOf("-") + 1);
  return lastBreak > letters.length / 2 ? letters.slice(0, lastBreak) : letters;
}
