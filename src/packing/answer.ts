import { gunzip, gzipLength, gzipOf, isGzip } from "./gzip.ts";
import type { Packed } from "./packed.ts";

/** Below this an answer goes out as it is: compressed it would not be sent in fewer packets. */
export const LEAST_PACKED_BYTES = 1024;

/** An answer as it is stored: a short text as it is, a gzip stream, or a stream that is a part of one. */
export interface StoredAnswer {
  readonly body: Uint8Array;
  /** The length and the checksum of the text, for a part of a stream alone. */
  readonly length: number | null;
  readonly checksum: number | null;
}

/** A text by itself, as it is stored. */
export function packAnswer(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  return bytes.length < LEAST_PACKED_BYTES ? bytes : Bun.gzipSync(bytes, { library: "libdeflate", level: 6 });
}

/** Whether the answer goes out as a gzip stream to who takes one. A short one does not. */
export function isPackable({ body, length }: Pick<StoredAnswer, "body" | "length">): boolean {
  if (length === null && !isGzip(body)) return false;
  return (length ?? gzipLength(body)) >= LEAST_PACKED_BYTES;
}

/** The answer as a gzip stream. Nothing where it is not packable. */
export function gzipAnswer({ body, length, checksum }: StoredAnswer): Uint8Array | undefined {
  if (!isPackable({ body, length })) return undefined;
  return length !== null && checksum !== null ? gzipOf(packedPart(body, length, checksum)) : body;
}

/** The answer as it is for those who take nothing else. */
export function plainAnswer({ body, length, checksum }: StoredAnswer): Uint8Array {
  if (length !== null && checksum !== null) return gunzip(gzipOf(packedPart(body, length, checksum)));
  return isGzip(body) ? gunzip(body) : body;
}

function packedPart(stream: Uint8Array, length: number, checksum: number): Packed {
  return { stream: stream as Uint8Array<ArrayBuffer>, length, checksum };
}
