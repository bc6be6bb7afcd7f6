import { DARK, hexOf, LIGHT, topOf } from "../html/colours.ts";
import { OTHER_LETTERS, SERIF_LETTERS } from "../html/fonts.ts";
import { type Html, html } from "../html/html.ts";
import { HEADLINE_LETTERS, HUES } from "../html/style.ts";
import { ACCENT_HUES, accentHue } from "../html/themes.ts";
import type { Theme } from "../records/page-fields.ts";
import type { LinkTree } from "../records/record.ts";

/** How a page looks: its classes, and what of it stands outside of the page. */
export interface Look {
  readonly classes: string;
  /** The colours of the browser around the page. */
  readonly themeColours: Html;
  /** The icon of the page up to the letter that stands in it. */
  readonly iconStart: Html;
  /** What a preview picture takes of it. */
  readonly theme: string;
  readonly hue: number;
  readonly strength: number;
}

interface Hue {
  readonly name: string;
  readonly degrees: number;
  /** Nothing where the colour is a grey. */
  readonly strength: 0 | 1;
}

const OWN_HUES: readonly Hue[] = HUES.map((degrees, index) => ({ name: `h${index}`, degrees, strength: 1 }));
const ACCENTS: readonly Hue[] = Array.from({ length: ACCENT_HUES }, (_, index) => ({
  name: `a${index}`,
  degrees: accentHue(index),
  strength: 1,
}));
const GREY: Hue = { name: "h1 grey", degrees: HUES[1], strength: 0 };

/** There are a few hundred, and most pages have one of eight. */
const looks = new Map<string, Look>();

/** The look of a tree: its theme, if one was chosen, and its hue. */
export function lookOf({ slug, look }: LinkTree): Look {
  return lookIn(look?.accent === undefined ? ownHue(slug) : nearestHue(look.accent), look?.theme);
}

/** The look of a page that nobody chose one for. */
export function plainLook(slug: string): Look {
  return lookIn(ownHue(slug), undefined);
}

/** The classes of a page with these texts at its head. In place of a font of ours that lacks letters, it has the reader's. */
export function classesOf({ classes }: Look, ...texts: readonly (string | undefined)[]): string {
  const text = texts.join(" ");
  if (OTHER_LETTERS.test(text)) return `${classes} other`;
  return SERIF_LETTERS.test(text) ? `${classes} more` : classes;
}

/** What no line is broken in: words of scripts whose words have spaces between them. */
const UNBROKEN = /[^\s\p{Pd}\p{Lo}\p{M}]{9,}/gu;

/** One class more for a page whose headline has a long word, which would be broken in the middle of a narrow window. */
export function lettersClass(headline: string): string {
  const longest = Math.max(...(headline.match(UNBROKEN) ?? [""]).map((word) => [...word].length));
  if (longest === 0) return "";
  const fitting = HEADLINE_LETTERS.findIndex((letters) => longest <= letters);
  return ` w${fitting < 0 ? HEADLINE_LETTERS.length - 1 : fitting}`;
}

function lookIn(hue: Hue, theme: Theme | undefined): Look {
  const classes = theme === undefined ? hue.name : `${theme} ${hue.name}`;
  const known = looks.get(classes);
  if (known) return known;
  const ground = groundOf(theme);
  const colour = (shades: typeof LIGHT) =>
    hexOf(ground === "top" ? topOf(shades) : shades[ground], hue.degrees, hue.strength);
  const accent = hexOf(LIGHT.accent, hue.degrees, hue.strength).slice(1);
  const made: Look = {
    classes,
    themeColours: isDark(theme)
      ? html`<meta name="theme-color" content="${colour(DARK)}">`
      : html`<meta name="theme-color" content="${colour(LIGHT)}" media="(prefers-color-scheme:light)"><meta name="theme-color" content="${colour(DARK)}" media="(prefers-color-scheme:dark)">`,
    iconStart: html`<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%23${accent}'/%3E%3Ctext x='16' y='23' font-family='Georgia,serif' font-size='20' text-anchor='middle' fill='%23fff'%3E`,
    theme: theme ?? "",
    hue: hue.degrees,
    strength: hue.strength,
  };
  looks.set(classes, made);
  return made;
}

/** The icon of a page: a letter on the page's own colour. */
export function pageIcon({ iconStart }: Look, letter: string): Html {
  const text = /^[A-Z]?$/.test(letter) ? letter : encodeURIComponent(Bun.escapeHTML(letter));
  return html`${iconStart}${text}%3C/text%3E%3C/svg%3E">`;
}

function isDark(theme: Theme | undefined): boolean {
  return theme === "night" || theme === "terminal";
}

/** What a page lies on at its top. */
function groundOf(theme: Theme | undefined): "paper" | "card" | "glow" | "top" {
  if (theme === "ink" || theme === "plain") return "card";
  if (theme === "bold") return "glow";
  return theme === "paper" || theme === "terminal" ? "paper" : "top";
}

/** Each tree has a colour of its own, which stays when the tree changes. */
function ownHue(slug: string): Hue {
  return OWN_HUES[Bun.hash.crc32(slug) % OWN_HUES.length] as Hue;
}

/** Below this chroma a colour is a grey. */
const LEAST_CHROMA = 0.03;

/**
 * The nearest hue of those that pages have. How light a colour is, the page decides by itself: only so is contrast held,
 * in the dark as well.
 */
function nearestHue(accent: string): Hue {
  const { a, b } = oklab(accent);
  if (Math.hypot(a, b) < LEAST_CHROMA) return GREY;
  const turn = Math.atan2(b, a) / (2 * Math.PI);
  return ACCENTS[(Math.round(turn * ACCENT_HUES) + ACCENT_HUES) % ACCENT_HUES] as Hue;
}

/** The two axes of colour of Oklab, from #rrggbb. */
function oklab(colour: string): { a: number; b: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    a: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  };
}
