/** A font file that is drawn with: how wide its letters are, in parts of their size, and which it has. */
class FontFile {
  readonly #view: DataView;
  readonly #unitsPerEm: number;
  readonly #widthsAt: number;
  readonly #widths: number;
  readonly #glyphs: ReadonlyMap<number, number>;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = view;
    this.#unitsPerEm = view.getUint16(this.#tableAt("head") + 18);
    this.#widthsAt = this.#tableAt("hmtx");
    this.#widths = view.getUint16(this.#tableAt("hhea") + 34);
    this.#glyphs = this.#readGlyphs();
  }

  /** The directory of tables stands at the start, with 16 bytes for each. */
  #tableAt(name: string): number {
    const count = this.#view.getUint16(4);
    for (let at = 12; at < 12 + 16 * count; at += 16) {
      const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => this.#view.getUint8(at + byte)));
      if (tag === name) return this.#view.getUint32(at + 8);
    }
    throw new Error(`the font has no table ${name}`);
  }

  /** OpenType 1.9, "cmap": the subtable of format 4, which leads from all characters of ours to their glyphs. */
  #readGlyphs(): Map<number, number> {
    const view = this.#view;
    const cmap = this.#tableAt("cmap");
    const subtables = Array.from(
      { length: view.getUint16(cmap + 2) },
      (_, index) => cmap + view.getUint32(cmap + 8 + 8 * index),
    );
    const at = subtables.find((subtable) => view.getUint16(subtable) === 4);
    if (at === undefined) throw new Error("the font has no table of characters that can be read");
    const segments = view.getUint16(at + 6) / 2;
    const [ends, starts] = [at + 14, at + 16 + 2 * segments];
    const [deltas, ranges] = [starts + 2 * segments, starts + 4 * segments];
    const glyphs = new Map<number, number>();
    for (let segment = 0; segment < segments; segment++) {
      const end = view.getUint16(ends + 2 * segment);
      const delta = view.getUint16(deltas + 2 * segment);
      const rangeAt = ranges + 2 * segment;
      const range = view.getUint16(rangeAt);
      const start = view.getUint16(starts + 2 * segment);
      for (let code = start; code <= end && code !== 0xffff; code++) {
        const glyph = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - start));
        if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
      }
    }
    return glyphs;
  }

  widthOf(code: number): number | undefined {
    const glyph = this.#glyphs.get(code);
    if (glyph === undefined) return undefined;
    // The last width holds for all glyphs behind it.
    const at = this.#widthsAt + 4 * Math.min(glyph, this.#widths - 1);
    return this.#view.getUint16(at) / this.#unitsPerEm;
  }
}

/** The letters of one weight, which lie in two files. */
export class Typeface {
  readonly family: string;
  readonly files: readonly Uint8Array[];
  readonly #fonts: readonly FontFile[];

  constructor(family: string, files: readonly Uint8Array[]) {
    this.family = family;
    this.files = files;
    this.#fonts = files.map((file) => new FontFile(file));
  }

  /** Whether there is a letter for each character. */
  has(text: string): boolean {
    return [...text].every((character) => this.#widthOf(character) !== undefined);
  }

  /** In parts of the size of the type. Where letters are moved together, it is a little less. */
  widthOf(text: string): number {
    return [...text].reduce((sum, character) => sum + (this.#widthOf(character) ?? 1), 0);
  }

  #widthOf(character: string): number | undefined {
    const code = character.codePointAt(0) ?? 0;
    for (const font of this.#fonts) {
      const width = font.widthOf(code);
      if (width !== undefined) return width;
    }
    return undefined;
  }
}
