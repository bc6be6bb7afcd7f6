import type { Link } from "./draft.ts";
import { newId } from "./draft.ts";

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const MAIL = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/;
const TELEPHONE = /^\+?[\d\s()/.-]{6,}$/;
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*(?:[:/?#]|$)/u;

/** An address as it has to be written, from what people type: `example.com`, an e-mail address, a telephone number. */
export function completed(typed: string): string {
  const text = typed.trim();
  if (MAIL.test(text)) return `mailto:${text}`;
  if (TELEPHONE.test(text)) return `tel:${text.replace(/[^\d+]/g, "")}`;
  if (HOST.test(text)) return `https://${text}`;
  return text;
}

/** The same for a field that only takes addresses of the web. */
export function completedWeb(typed: string): string {
  const text = typed.trim();
  return !SCHEME.test(text) && HOST.test(text) ? `https://${text}` : text;
}

/** A link for each address in a text, one a line, as they come from a clipboard. */
export function linksIn(text: string): Link[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
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
  return protocol.startsWith("http") ? hostname.replace(/^www\./, "") : decodeURI(pathname);
}

/** The handle that a title suggests: lower case, and nothing that an address would have to escape. */
export function slugFor(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}
