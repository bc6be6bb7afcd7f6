import { z } from "zod";
import { ruled, text } from "../contract/fields.ts";
import { BOUNDS } from "../contract/texts.ts";

/*
 * What is only for pages. It is part of a record and never of an answer of the API, and all of it may be left out: a
 * page is then what it is without.
 */

export const THEMES = ["paper", "ink", "plain", "bold", "night", "terminal"] as const;

export type Theme = (typeof THEMES)[number];

const COLOUR = /^#[\dA-Fa-f]{6}$/;

const accent = ruled((value) =>
  COLOUR.test(value) ? undefined : "must be a colour as #rrggbb, such as #1f6feb",
).meta({
  pattern: COLOUR.source,
  description: "A colour, of which the page takes a shade that can be read.",
});

const theme = z.enum(THEMES).describe("How the page is set.");

/** The fields of a look. */
export const lookFields = { theme: theme.exactOptional(), accent: accent.exactOptional() };

const LANGUAGE_BOUND = 35;

const language = ruled((value) =>
  value.length <= LANGUAGE_BOUND && isLanguage(value)
    ? undefined
    : "must be a language tag, such as en or pt-BR",
).meta({ maxLength: LANGUAGE_BOUND, description: "The language of pages, as a tag of BCP 47." });

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export const profilePageFields = { language: language.exactOptional() };

export const linkPageFields = {
  section: text(BOUNDS.section)
    .describe("The heading that the link stands under on the page.")
    .exactOptional(),
  isHidden: z.boolean().describe("Whether the link is kept without being shown anywhere.").exactOptional(),
};

export function linkTreePageFields<Look extends z.ZodType>(look: Look) {
  return {
    look: look.exactOptional(),
    hasPage: z
      .boolean()
      .describe("Whether the link tree has a public page. It has one unless this is false.")
      .exactOptional(),
  };
}
