import type { View } from "../contract/access.ts";
import { fromBase62, randomBase62, toBase62 } from "./base62.ts";

/** What a key begins with tells its view, to whoever finds one and to the server before it asks the store. */
const PREFIXES: Readonly<Record<View, string>> = { full: "vit_", public: "vitp_" };
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^(?:${Object.values(PREFIXES).join("|")})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** A new key. It is shown once and never stored: the store keeps its hash. */
export function mintKey(view: View = "full"): string {
  const checked = PREFIXES[view] + randomBase62(RANDOM_LENGTH);
  return checked + toBase62(Bun.hash.crc32(checked), CHECKSUM_LENGTH);
}

/**
 * Whether a text can be a key at all, which turns away a mistyped one without asking the store. Every request goes
 * through here; numbers are compared, because writing the checksum out as text would take twice as long.
 */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const checkedLength = text.length - CHECKSUM_LENGTH;
  return fromBase62(text.slice(checkedLength)) === Bun.hash.crc32(text.slice(0, checkedLength));
}

/** The view of a well-formed key. */
export function viewOf(key: string): View {
  return key.startsWith(PREFIXES.public) ? "public" : "full";
}

/** The SHA-256 of a key: what the store knows a key by. */
export function hashKey(key: string): Uint8Array {
  return Bun.SHA256.hash(key) as Uint8Array;
}
