/** The polynomial of CRC-32 (zip, gzip, Ethernet), with the highest power in the lowest bit. */
const POLYNOMIAL = 0xedb88320;

/** x to the power of 0 in the same notation. */
const ONE = 0x80000000;

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function product(one: number, other: number): number {
  let sum = 0;
  let shifted = other;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (one & bit) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return sum >>> 0;
}

/** x to the powers of 8, 16, 32 and so on: what a byte, two, four and so on do to the checksum before them. */
const SHIFTS: number[] = [ONE >>> 8];
while (SHIFTS.length < 32) SHIFTS.push(product(SHIFTS.at(-1) as number, SHIFTS.at(-1) as number));

/** The checksum of two texts, one behind the other, by those of each and the second one's length in bytes. */
export function joinedCrc32(first: number, second: number, secondLength: number): number {
  let shifted = first;
  for (let length = secondLength, power = 0; length > 0; length >>>= 1, power++) {
    if (length & 1) shifted = product(SHIFTS[power] as number, shifted);
  }
  return (shifted ^ second) >>> 0;
}
