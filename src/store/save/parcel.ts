import type { Compiled, ViewDocuments } from "../../documents/compile.ts";
import type { CompiledBatch, CompiledSave, TextOrBytes } from "../store.ts";

/**
 * A compiled batch on its way from one thread to another: its long texts laid end to end, and the rest as JSON behind
 * them. As objects, all of it would be copied piece by piece.
 */
export interface Parcel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the JSON begins. */
  readonly textBytes: number;
}

type Packed = Omit<CompiledSave, "compiled" | "replaced"> & {
  readonly compiled: Compiled<number> | undefined;
  readonly replaced: number | undefined;
};

export function pack(batch: CompiledBatch): Parcel {
  const run = new EncodedTexts();
  const saves = batch.saves.map(
    (save): Packed => ({
      ...save,
      compiled: save.compiled && withTexts(save.compiled, (text) => run.add(text)),
      replaced: save.replaced && run.add(save.replaced),
    }),
  );
  const textBytes = run.length;
  run.add(JSON.stringify(saves));
  return { bytes: run.bytes(), textBytes };
}

export function unpack({ bytes, textBytes }: Parcel): CompiledBatch {
  const json = new TextDecoder().decode(bytes.subarray(textBytes));
  let end = 0;
  const nextText = (length: number) => {
    const start = end;
    end += length;
    return bytes.subarray(start, end);
  };
  return {
    saves: (JSON.parse(json) as Packed[]).map((save) => ({
      ...save,
      compiled: save.compiled && withTexts(save.compiled, nextText),
      replaced: save.replaced === undefined ? undefined : nextText(save.replaced),
    })),
  };
}

/** The same with each long text made into something else, in an order that is always the same. */
function withTexts<From, To>(compiled: Compiled<From>, turned: (text: From) => To): Compiled<To> {
  const { pages, profilePage, public: shown, ...others } = compiled.documents;
  const viewWithTexts = ({ full, links, resume, slices }: ViewDocuments<From>): ViewDocuments<To> => ({
    full: { etag: full.etag, body: turned(full.body) },
    links: { etag: links.etag, body: turned(links.body) },
    resume: { etag: resume.etag, body: turned(resume.body) },
    slices,
  });
  return {
    record: turned(compiled.record),
    documents: {
      ...others,
      ...viewWithTexts(others),
      public: viewWithTexts(shown),
      pages: pages.map((page) => ({ ...page, html: turned(page.html) })),
      profilePage: profilePage && {
        ...profilePage,
        html: turned(profilePage.html),
        card: turned(profilePage.card),
      },
    },
  };
}

const encoder = new TextEncoder();

function write(text: TextOrBytes, into: Uint8Array): number {
  if (typeof text === "string") return encoder.encodeInto(text, into).written;
  into.set(text);
  return text.length;
}

/** Used again and again: memory that is new with each batch costs more than what is done with it. */
let scratch = new Uint8Array(1024 * 1024);

/** Texts as bytes, one after the other. Only one of these can be in the making. */
class EncodedTexts {
  length = 0;

  /** Returns how many bytes the text takes. */
  add(text: TextOrBytes): number {
    this.#makeRoom(3 * text.length);
    const written = write(text, scratch.subarray(this.length));
    this.length += written;
    return written;
  }

  #makeRoom(most: number): void {
    if (this.length + most <= scratch.length) return;
    const larger = new Uint8Array(2 * (this.length + most));
    larger.set(scratch.subarray(0, this.length));
    scratch = larger;
  }

  /** Bytes of their own, which can be handed over. */
  bytes(): Uint8Array<ArrayBuffer> {
    return scratch.slice(0, this.length);
  }
}
