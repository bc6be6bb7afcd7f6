/** Somebody as a number of 48 bits: a window has room for one more. */
export function callerNumber(who: string | Uint16Array, seed?: number): number {
  return Number(BigInt(Bun.hash(who, seed)) & 0xffff_ffff_ffffn);
}
