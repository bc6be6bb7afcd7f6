import { domainToUnicode } from "node:url";
import type { StudyLevel } from "vitrine-client";

const month = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });

/** The month of a timestamp: `2023-02` for machines, `Feb 2023` for people. */
export function monthOf(timestamp: string): { iso: string; text: string } {
  return { iso: timestamp.slice(0, 7), text: month.format(new Date(timestamp)).replace(" ", "\u00a0") };
}

export const STUDY_LEVELS: Record<StudyLevel, string> = {
  HIGH_SCHOOL: "High school",
  ASSOCIATE: "Associate degree",
  BACHELOR: "Bachelor’s degree",
  MASTER: "Master’s degree",
  DOCTORATE: "Doctorate",
  BOOTCAMP: "Bootcamp",
  OTHER: "Studies",
};

/** A text in which there is something to see, or nothing: white space and invisible marks name no link. */
export function visible(text: string | null | undefined): string | undefined {
  return text && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text.trim() : undefined;
}

/** The first letter that can be seen: names that run from right to left often begin with a mark that says so. */
export function initialOf(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return letters.find(visible) ?? "";
}

/** Where an address leads, in as few words as tell it: a host, a mail address, a telephone number. */
export function placeOf(address: string): string {
  const { protocol, hostname, pathname } = new URL(address);
  if (!protocol.startsWith("http")) return decoded(pathname) || address;
  const host = hostname.replace(/^www\.(?=.+\.)/, "");
  // Other scripts than Latin have another form for machines.
  return domainToUnicode(host) || host;
}

/**
 * An address as attributes take it. In a text that is one Astro 5 escapes nothing (withastro/astro#15740), so that signs
 * which HTML has a meaning for would lead elsewhere, or end the attribute. To Astro's types a picture's is a text.
 */
export function addressOf(url: string): URL & string {
  return new URL(url) as URL & string;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Digits as telephones have them, which in Arabic and Persian are written in their own. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A number as people write it: with spaces, brackets, dots, slashes, dashes, and marks of direction. */
const NUMBERS = /\+?[\s(\p{Cf}]*\d[\d\s()./\p{Pd}\p{Cf}]*/gu;

/**
 * What is dialled for a telephone number, or nothing where the text holds none, or two, as with an extension. Behind the
 * code of a country, a zero in brackets is not dialled.
 */
export function dialledIn(text: string): string | undefined {
  const plain = text
    .normalize("NFKC")
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/(\+.*)\(0\)/, "$1");
  const [number, ...others] = plain.match(NUMBERS) ?? [];
  return others.length > 0 ? undefined : number?.replace(/[^\d+]/g, "");
}

/** The beginning of a text, for search results and previews. */
export function shortened(text: string, characters = 160): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= characters) return plain;
  const space = plain.lastIndexOf(" ", characters);
  // Some scripts have no spaces, or few. What is cut there may be half a character.
  const end = space > characters / 2 ? space : characters;
  return `${plain.slice(0, end).replace(/\p{Surrogate}$/u, "")}…`;
}
