import type { Direction } from "../html/frame.ts";
import { type Html, html } from "../html/html.ts";

const SUMMARY_CHARACTERS = 200;

/** A text in which there is something to see, or nothing: white space and invisible marks name no link. */
export function visible(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  // Most texts begin with something to see.
  const first = text.charCodeAt(0);
  if (first > 32 && first < 127 && text.charCodeAt(text.length - 1) > 32) return text.trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text.trim() : undefined;
}

/** For places that cannot isolate a text from what follows it: no marks that turn its direction. */
export function plain(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "").replace(/\s+/g, " ");
}

/** What can stand for a long text in one line. */
export function shortened(text: string): Html {
  if (text.length <= SUMMARY_CHARACTERS) return html`${text}`;
  const characters = [...text.slice(0, 2 * SUMMARY_CHARACTERS)];
  if (characters.length <= SUMMARY_CHARACTERS && text.length <= 2 * SUMMARY_CHARACTERS) return html`${text}`;
  const beginning = characters.slice(0, SUMMARY_CHARACTERS - 1).join("");
  // As a character, the dots would have all of the page take twice the room while it is made.
  return html`${beginning.trimEnd()}&hellip;`;
}

/** Made when the first name needs it: that takes longer than all else that a command does at its start. */
let graphemes: Intl.Segmenter | undefined;

/** The first letter that can be seen: names that run from right to left often begin with a mark that says so. */
export function initialOf(name: string): string {
  // Nothing of ASCII belongs to the letter before it, and finding out where a letter ends is slow.
  if (/^[ -~]{2}/.test(name)) return name.charAt(0).toUpperCase();
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(name))
    if (visible(segment) !== undefined) return capitalOf(segment);
  return "";
}

/** Georgian begins no word with a capital: it has them for titles as a whole, and few fonts have them at all. */
function capitalOf(letter: string): string {
  return /\p{Script=Georgian}/u.test(letter) ? letter : letter.toLocaleUpperCase("en");
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** The side from which a text is read: that of its first letter. */
export function directionOf(text: string): Direction {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return hasRightToLeft(letter) ? "rtl" : "ltr";
}

/** The side from which a language is read. */
export function directionIn(language: string): Direction {
  const { script, language: primary } = new Intl.Locale(language).maximize();
  return primary === undefined || !RIGHT_TO_LEFT_SCRIPTS.has(script ?? "") ? "ltr" : "rtl";
}

const RIGHT_TO_LEFT_SCRIPTS = new Set(["Hebr", "Arab", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg"]);
