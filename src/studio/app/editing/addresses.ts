import { plainLetters, unescaped } from "../../../records/letters.ts";
import { dialledIn, plainDigits } from "../../../records/telephone.ts";
import type { Draft, Link } from "./draft.ts";
import { newId } from "./draft.ts";

const MAIL = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/;
const TELEPHONE = /^\+?[\d\s()/.\p{Pd}]{6,}$/u;
const NAMED_HOST = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?::\d+)?(?:[/?#]|$)/u;
const NUMBERED_HOST = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){3}(?::\d+)?(?:[/?#]|$)/;

/** An address as it has to be written, from what people type: `example.com`, an e-mail address, a telephone number. */
export function completed(typed: string): string {
  const text = bare(typed);
  // What would end the address, or begin an escape, is a letter like any other before the @.
  if (MAIL.test(text)) return `mailto:${text.replace(/[%?#]/g, encodeURIComponent)}`;
  const web = completedWeb(text);
  const number = web === text && TELEPHONE.test(plainDigits(text)) ? dialledIn(text) : undefined;
  return number ? `tel:${number}` : web;
}

/** A text without the space around it, and without the marks that other programs put there and nobody sees. */
function bare(text: string): string {
  return text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
}

/** The same for a field that only takes addresses of the web. */
export function completedWeb(typed: string): string {
  const text = bare(typed);
  const isHost = NAMED_HOST.test(text) || NUMBERED_HOST.test(text);
  // Four numbers with dots between them can be those of a telephone as well, unless all are small enough.
  return isHost && URL.canParse(`https://${text}`) ? `https://${text}` : text;
}

/** A link for each address in a text, one a line, as they come from a clipboard. */
export function linksIn(text: string): Link[] {
  return text
    .split(/\r?\n/)
    .map(bare)
    .filter((line) => line !== "")
    .map((line) => {
      const url = completed(line);
      return { id: newId(), label: labelFor(url), url };
    });
}

/** A first label, which the owner will likely better: the host, the mail address, the number. */
function labelFor(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname, pathname } = new URL(url);
  if (!protocol.startsWith("http")) return unescaped(pathname);
  // Letters beyond those of English stay as they were typed.
  const [, typed = hostname] = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url) ?? [];
  return (hostname.includes("xn--") ? typed : hostname).replace(/^www\./, "");
}

/** How much of a handle is made of another text: there is room for more behind it. */
const SUGGESTED_LENGTH = 60;

/** The handle that a title suggests: lower case, and nothing that an address would have to escape. */
export function slugFor(title: string): string {
  return plainLetters(title)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, SUGGESTED_LENGTH)
    .replace(/-$/, "");
}

/** A handle for a new link tree, from a name, or, where that is in another script, from the profile's handle. */
export function treeSlugFor({ name, slug }: Draft["profile"]): string {
  const start = slugFor(name.value ?? slug) || [...slug].slice(0, SUGGESTED_LENGTH).join("");
  return `${start}-${newId().slice(1, 5)}`;
}
