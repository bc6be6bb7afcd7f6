import mono from "../../vendor/fonts/drawn/mono.ttf" with { type: "file" };
import monoMore from "../../vendor/fonts/drawn/mono-more.ttf" with { type: "file" };
import sans from "../../vendor/fonts/drawn/sans.ttf" with { type: "file" };
import sansBold from "../../vendor/fonts/drawn/sans-bold.ttf" with { type: "file" };
import sansBoldMore from "../../vendor/fonts/drawn/sans-bold-more.ttf" with { type: "file" };
import sansMore from "../../vendor/fonts/drawn/sans-more.ttf" with { type: "file" };
import serif from "../../vendor/fonts/drawn/serif.ttf" with { type: "file" };
import serifMore from "../../vendor/fonts/drawn/serif-more.ttf" with { type: "file" };
import { Typeface } from "./typeface.ts";

const FACES = {
  serif: { family: "Newsreader", files: [serif, serifMore] },
  sans: { family: "Instrument Sans", files: [sans, sansMore] },
  "sans-bold": { family: "Instrument Sans", files: [sansBold, sansBoldMore] },
  mono: { family: "JetBrains Mono", files: [mono, monoMore] },
} as const;

export type FaceName = keyof typeof FACES;

const loaded = new Map<FaceName, Typeface>();

/** Loaded when something is first drawn with it, and kept. */
export async function typefaceOf(name: FaceName): Promise<Typeface> {
  const known = loaded.get(name);
  if (known) return known;
  const { family, files } = FACES[name];
  const made = new Typeface(family, await Promise.all(files.map((file) => Bun.file(file).bytes())));
  loaded.set(name, made);
  return made;
}
