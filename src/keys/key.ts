import { randomBase62, toBase62 } from "./base62.ts";

const PREFIX = "vit_";
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CHECKED_LENGTH = PREFIX.length + RANDOM_LENGTH;
const KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

function checksum(checked: string): string {
  return toBase62(Bun.hash.crc32(checked), CHECKSUM_LENGTH);
}

/** A new key. It is shown once and never stored: the store keeps its hash. */
export function mintKey(): string {
  const checked = PREFIX + randomBase62(RANDOM_LENGTH);
  return checked + checksum(checked);
}

/** Whether a text can be a key at all. Turns away a mistyped one without asking the store. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && text.endsWith(checksum(text.slice(0, CHECKED_LENGTH)));
}

/** The SHA-256 of a key: what the store knows a key by. */
export function hashKey(key: string, into: Uint8Array = new Uint8Array(32)): Uint8Array {
  Bun.SHA256.hash(key, into);
  return into;
}
