const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of 62 that fits a byte: bytes from here on would favour the first digits. */
const UNBIASED = 248;

const pool = new Uint8Array(4096);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used++] = 0;
  return byte;
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < UNBIASED) text += DIGITS[byte % 62];
  }
  return text;
}

export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text;
}

/** The value of each digit, by its character code. */
const VALUES = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;

/** The number that a text of digits says. */
export function fromBase62(text: string): number {
  let value = 0;
  for (let index = 0; index < text.length; index++)
    value = value * 62 + (VALUES[text.charCodeAt(index)] as number);
  return value;
}
