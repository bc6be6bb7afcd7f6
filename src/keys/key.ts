import { DIGITS, randomBase62, toBase62 } from "./base62.ts";

const PREFIX = "vit_";
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CHECKED_LENGTH = PREFIX.length + RANDOM_LENGTH;
const KEY_LENGTH = CHECKED_LENGTH + CHECKSUM_LENGTH;

/** A new key. It is shown once and never stored: the store keeps its hash. */
export function mintKey(): string {
  const checked = PREFIX + randomBase62(RANDOM_LENGTH);
  return checked + toBase62(Bun.hash.crc32(checked), CHECKSUM_LENGTH);
}

const NOT_A_DIGIT = 255;

/** The value of each ASCII character as a digit of base 62. */
const DIGIT_VALUES = new Uint8Array(128).fill(NOT_A_DIGIT);
for (const [value, digit] of [...DIGITS].entries()) DIGIT_VALUES[digit.charCodeAt(0)] = value;

/** One step of CRC-32 for each byte (the polynomial of zip and Ethernet, reflected). */
const CRC_TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  CRC_TABLE[byte] = crc;
}

/**
 * Whether a text can be a key at all, which turns away a mistyped one without asking the store. One pass over
 * the characters: every request goes through here, and the library's CRC-32 costs more to call than to compute.
 */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return false;
  let crc = 0xffffffff;
  for (let index = 0; index < CHECKED_LENGTH; index++) {
    const code = text.charCodeAt(index);
    if (index >= PREFIX.length && (code > 127 || DIGIT_VALUES[code] === NOT_A_DIGIT)) return false;
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ code) & 0xff] as number);
  }
  let checksum = 0;
  for (let index = CHECKED_LENGTH; index < KEY_LENGTH; index++) {
    const code = text.charCodeAt(index);
    const value = code > 127 ? NOT_A_DIGIT : (DIGIT_VALUES[code] as number);
    if (value === NOT_A_DIGIT) return false;
    checksum = checksum * 62 + value;
  }
  return checksum === (crc ^ 0xffffffff) >>> 0;
}

/** The SHA-256 of a key: what the store knows a key by. */
export function hashKey(key: string, into: Uint8Array = new Uint8Array(32)): Uint8Array {
  Bun.SHA256.hash(key, into);
  return into;
}
