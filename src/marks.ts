/**
 * Marks for keys, by numbers that stand for them: one bit each, however many keys there are. Keys whose numbers share a
 * bit are taken for each other, and no mark is taken back, so that a mark may only ever say "perhaps".
 */
export class Marks {
  readonly #bits: Uint8Array;

  /** How many bits there are: a power of two, from 8 on. */
  constructor(bits: number) {
    this.#bits = new Uint8Array(bits / 8);
  }

  has(number: number): boolean {
    return ((this.#bits[this.#byteOf(number)] as number) & (1 << (number & 7))) !== 0;
  }

  add(number: number): void {
    this.#bits[this.#byteOf(number)] = (this.#bits[this.#byteOf(number)] as number) | (1 << (number & 7));
  }

  #byteOf(number: number): number {
    return (number >>> 3) % this.#bits.length;
  }
}
