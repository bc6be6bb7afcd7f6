import type { Direction } from "../html/frame.ts";
import { type Html, html } from "../html/html.ts";

const SUMMARY_CHARACTERS = 200;

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
