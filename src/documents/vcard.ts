import { visible } from "../records/letters.ts";
import { NETWORK_FIELDS } from "../records/networks.ts";
import type { ResumeSource } from "./resume.ts";

const LINE_OCTETS = 75;

/**
 * A vCard 4.0 (RFC 6350). Which part of a name is the family's, a record does not say: all of it is given. Without `N`,
 * which this version does not ask for, iPhones and others call the contact by its company.
 */
export function vCardOf({ profile, jobs, email, updatedAt }: ResumeSource): string {
  const job = jobs.find(({ isCurrent }) => isCurrent);
  // A card must have one, also where there is nothing to see in the name.
  const name = shown(profile.name.value) ?? text(profile.slug);
  const place = shown(profile.location.value);
  const urls = [profile.url.value, ...NETWORK_FIELDS.map((field) => profile[field].value)];
  const lines: [property: string, value: string | null | undefined][] = [
    ["BEGIN", "VCARD"],
    ["VERSION", "4.0"],
    ["KIND", "individual"],
    ["FN", name],
    ["N", `;${name};;;`],
    ["EMAIL", email && text(email)],
    ["TEL", shown(profile.phone.value)],
    ["ADR", place && `;;;${place};;;`],
    ["TITLE", shown(job?.title)],
    ["ORG", shown(job?.companyName)],
    ["PHOTO", profile.avatarUrl.value],
    ...urls.map((url) => ["URL", url] as [string, string | null]),
    ["NOTE", shown(profile.summary.value)],
    ["REV", updatedAt.replaceAll(/[-:]|\.\d+/g, "")],
    ["END", "VCARD"],
  ];
  return lines
    .filter(([, value]) => value)
    .map(([property, value]) => `${folded(`${property}:${value}`)}\r\n`)
    .join("");
}

/** A text of the record, where there is something to see in it. */
function shown(value: string | null | undefined): string | undefined {
  const seen = visible(value);
  return seen && text(seen);
}

/** Section 3.4: what parts values is escaped. Of the control characters the line break stays, and a tab is a space. */
function text(value: string): string {
  if (!/[\\,;\p{Cc}]/u.test(value)) return value;
  return value
    .replaceAll(/[\\,;]/g, "\\$&")
    .replaceAll(/\r\n?|\n/g, "\\n")
    .replaceAll("\t", " ")
    .replaceAll(/\p{Cc}/gu, "");
}

/** Section 3.2: long lines go on in the next, behind a space, and are not cut within a character. */
function folded(line: string): string {
  if (/[^ -~]/.test(line)) return foldedByCharacter(line);
  let folds = line.slice(0, LINE_OCTETS);
  for (let at = LINE_OCTETS; at < line.length; at += LINE_OCTETS - 1)
    folds += `\r\n ${line.slice(at, at + LINE_OCTETS - 1)}`;
  return folds;
}

function foldedByCharacter(line: string): string {
  let octets = 0;
  let folds = "";
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > LINE_OCTETS) {
      folds += "\r\n ";
      octets = 1;
    }
    folds += character;
    octets += length;
  }
  return folds;
}
