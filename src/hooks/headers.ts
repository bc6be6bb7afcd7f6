import type { HookHeader } from "../store/hooks.ts";
import { HookRefused } from "./refusal.ts";

const MAX_HEADERS = 10;
const MAX_LENGTH = 4000;

/** A token, and text (RFC 9110, sections 5.1 and 5.5). A pattern for the space around it would take long over much. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** What the connection and the signature need for themselves. */
const OWN =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|webhook-.*)$/i;

/** Headers as they are typed, `Name: value`. Throws `HookRefused`. */
export function parseHeaders(lines: readonly string[]): HookHeader[] {
  if (lines.length > MAX_HEADERS) throw new HookRefused("header", `there are more than ${MAX_HEADERS}`);
  const names = new Set<string>();
  return lines.map((line, index) => {
    const [, name, rest = ""] = HEADER.exec(line) ?? [];
    const value = rest.trim();
    const place = lines.length === 1 ? "it" : `number ${index + 1}`;
    if (name === undefined) throw new HookRefused("header", `${place} is not of the form "Name: value"`);
    if (line.length > MAX_LENGTH)
      throw new HookRefused("header", `${place} has more than ${MAX_LENGTH} characters`);
    if (!PRINTABLE.test(value))
      throw new HookRefused("header", `${place} has more than the letters, digits and signs of ASCII in it`);
    if (OWN.test(name)) throw new HookRefused("header", `${name} is not to be set`);
    if (names.has(name.toLowerCase())) throw new HookRefused("header", `${name} is there twice`);
    names.add(name.toLowerCase());
    return [name, value];
  });
}
