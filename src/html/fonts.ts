import instrumentSans from "../../vendor/fonts/instrument-sans.woff2" with { type: "file" };
import newsreader from "../../vendor/fonts/newsreader.woff2" with { type: "file" };
import newsreaderMore from "../../vendor/fonts/newsreader-more.woff2" with { type: "file" };
import release from "../../vendor/fonts/release.json" with { type: "json" };

/** A font of our own, under a path that is named for what is in it, so that it may be kept for ever. */
interface Font {
  readonly path: string;
  readonly file: string;
}

function font(name: keyof typeof release.sha256, file: string): Font {
  return { path: `/fonts/${name}-${release.sha256[name].slice(0, 16)}.woff2`, file };
}

const SERIF = font("newsreader", newsreader);
const MORE_SERIF = font("newsreader-more", newsreaderMore);
const SANS = font("instrument-sans", instrumentSans);

export const FONTS: readonly Font[] = [SERIF, MORE_SERIF, SANS];

const LATIN =
  "U+20-7E,U+A0-FF,U+131,U+152-153,U+178,U+2013-2014,U+2018-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+2192,U+2212";

/**
 * Latin letters that our fonts lack, as in Vietnamese and Azerbaijani: beside those that they have, each would be of
 * another type. And letters with marks, which need more room above and below, in any script.
 */
export const OTHER_LETTERS = /(?![\0-\u017f\u0218-\u021b])\p{Script=Latin}|\p{L}\p{M}/u;

/** The same for those that the serif has and the sans lacks, as in Polish and Turkish. */
export const SERIF_LETTERS = /(?![\u0131\u0152\u0153\u0178])[\u0100-\u017f\u0218-\u021b]/;

/** A font has one weight, and says that it has all: no browser should make one up. */
function face(family: string, { path }: Font, range: string): string {
  return `@font-face{font-family:${family};src:url(${path}) format("woff2");font-weight:100 900;font-display:swap;unicode-range:${range}}`;
}

/** Of two fonts that have a letter the last one is taken. */
export const FONT_FACES = [
  face("Newsreader", MORE_SERIF, "U+100-17F,U+218-21B"),
  face("Newsreader", SERIF, LATIN),
  face('"Instrument Sans"', SANS, LATIN),
].join("");
