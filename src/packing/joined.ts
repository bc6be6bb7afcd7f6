import type { Packed } from "./packed.ts";

/** A stream that can stand beside others, and its text. */
export interface Piece extends Packed {
  readonly text: Uint8Array;
}

/** Joinable streams one behind the other, and what is known of their texts, one behind the other. */
export class JoinedStreams {
  readonly pieces: Piece[] = [];
  length = 0;
  checksum = 0;
  /** How many bytes the streams take. */
  size = 0;

  /** Returns where the stream begins. */
  add(piece: Piece): number {
    const start = this.size;
    this.pieces.push(piece);
    this.size += piece.stream.length;
    // It goes on from the one before: quicker than joining the two, with texts that are at hand.
    this.checksum = Bun.hash.crc32(piece.text, this.checksum);
    this.length += piece.length;
    return start;
  }

  /** The first bytes, and behind them others. */
  bytes(size: number, end: Uint8Array): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(size + end.length);
    let at = 0;
    for (const { stream } of this.pieces) {
      if (at >= size) break;
      all.set(stream, at);
      at += stream.length;
    }
    all.set(end, size);
    return all;
  }

  /** How many bytes at the end of both are of the very same streams. */
  sharedEnd(other: JoinedStreams): number {
    let size = 0;
    for (let back = 1; back <= Math.min(this.pieces.length, other.pieces.length); back++) {
      const piece = this.pieces.at(-back);
      if (piece === undefined || piece !== other.pieces.at(-back)) break;
      size += piece.stream.length;
    }
    return size;
  }
}
