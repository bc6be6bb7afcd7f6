import type { Compiled } from "../documents/compile.ts";
import type { LongText, PreparedBatch, PreparedSave } from "./store.ts";

/**
 * A prepared batch on its way from one thread to another: its long texts laid end to end as bytes, which are
 * handed over as they are, and the rest as JSON. As objects, all of it would be copied piece by piece.
 */
export interface Parcel {
  readonly saves: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Packed = Omit<PreparedSave, "compiled"> & { readonly compiled: Compiled<number> | undefined };

export function pack(batch: PreparedBatch): Parcel {
  const texts = new EncodedTexts();
  const saves = batch.saves.map(
    (save): Packed => ({
      ...save,
      compiled: save.compiled && withTexts(save.compiled, (text) => texts.add(text)),
    }),
  );
  return { saves: JSON.stringify(saves), bytes: texts.bytes() };
}

export function unpack({ saves, bytes }: Parcel): PreparedBatch {
  let end = 0;
  const nextText = (length: number) => {
    const start = end;
    end += length;
    return bytes.subarray(start, end);
  };
  return {
    saves: (JSON.parse(saves) as Packed[]).map((save) => ({
      ...save,
      compiled: save.compiled && withTexts(save.compiled, nextText),
    })),
  };
}

/** The same with each long text made into something else, in an order that is always the same. */
function withTexts<From, To>(compiled: Compiled<From>, turned: (text: From) => To): Compiled<To> {
  const { full, links, pages, ...others } = compiled.documents;
  return {
    record: turned(compiled.record),
    documents: {
      full: { etag: full.etag, body: turned(full.body) },
      links: { etag: links.etag, body: turned(links.body) },
      pages: pages.map((page) => ({ ...page, html: turned(page.html) })),
      ...others,
    },
  };
}

const encoder = new TextEncoder();

function write(text: LongText, into: Uint8Array): number {
  if (typeof text === "string") return encoder.encodeInto(text, into).written;
  into.set(text);
  return text.length;
}

/** Used again and again: memory that is new with each batch costs more than what is done with it. */
let scratch = new Uint8Array(1024 * 1024);

/** Texts as bytes, one after the other. Only one of these can be in the making. */
class EncodedTexts {
  #length = 0;

  /** Returns how many bytes the text takes. */
  add(text: LongText): number {
    this.#makeRoom(3 * text.length);
    const written = write(text, scratch.subarray(this.#length));
    this.#length += written;
    return written;
  }

  #makeRoom(most: number): void {
    if (this.#length + most <= scratch.length) return;
    const larger = new Uint8Array(2 * (this.#length + most));
    larger.set(scratch.subarray(0, this.#length));
    scratch = larger;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return scratch.slice(0, this.#length);
  }
}
