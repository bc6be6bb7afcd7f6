import type { Documents } from "../../documents/compile.ts";
import type { CompiledBatch, CompiledSave, PackedUser } from "../store.ts";

/**
 * A compiled batch on its way from one thread to another: its bytes laid end to end, and the rest as JSON behind
 * them. As objects, all of it would be copied piece by piece.
 */
export interface Parcel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the JSON begins. */
  readonly textBytes: number;
}

/** What is bytes in a compiled user, as anything else. */
interface UserOf<Bytes> {
  readonly record: Bytes;
  readonly full: Bytes;
  readonly links: Bytes;
  readonly publicFull: Bytes;
  readonly publicLinks: Bytes;
}

type PackedSave = Omit<CompiledSave, "compiled" | "replaced"> & {
  readonly compiled: { readonly sizes: UserOf<number>; readonly user: PackedUser } | undefined;
  readonly replaced: number | undefined;
};

const NO_BYTES = new Uint8Array();

export function pack(batch: CompiledBatch): Parcel {
  const run = new JoinedBytes();
  const saves = batch.saves.map(
    (save): PackedSave => ({
      ...save,
      compiled: save.compiled && {
        sizes: mapped(bytesOf(save.compiled), (bytes) => run.add(bytes)),
        user: withBytes(save.compiled, NO_USER),
      },
      replaced: save.replaced && run.add(save.replaced),
    }),
  );
  const textBytes = run.length;
  run.add(new TextEncoder().encode(JSON.stringify(saves)));
  return { bytes: run.bytes(), textBytes };
}

export function unpack({ bytes, textBytes }: Parcel): CompiledBatch {
  const json = new TextDecoder().decode(bytes.subarray(textBytes));
  let end = 0;
  const next = (size: number): Uint8Array => {
    const start = end;
    end += size;
    return bytes.subarray(start, end);
  };
  return {
    saves: (JSON.parse(json) as PackedSave[]).map(({ compiled, replaced, ...save }) => ({
      ...save,
      compiled: compiled && withBytes(compiled.user, mapped(compiled.sizes, next)),
      replaced: replaced === undefined ? undefined : next(replaced),
    })),
  };
}

const NO_USER: UserOf<Uint8Array> = {
  record: NO_BYTES,
  full: NO_BYTES,
  links: NO_BYTES,
  publicFull: NO_BYTES,
  publicLinks: NO_BYTES,
};

function bytesOf({ record, documents }: PackedUser): UserOf<Uint8Array> {
  const { full, links, public: shown } = documents;
  return {
    record,
    full: full.body,
    links: links.body,
    publicFull: shown.full.body,
    publicLinks: shown.links.body,
  };
}

function withBytes(user: PackedUser, bytes: UserOf<Uint8Array>): PackedUser {
  const { full, links, public: shown } = user.documents;
  const documents: Documents = {
    ...user.documents,
    full: { ...full, body: bytes.full },
    links: { ...links, body: bytes.links },
    public: {
      ...shown,
      full: { ...shown.full, body: bytes.publicFull },
      links: { ...shown.links, body: bytes.publicLinks },
    },
  };
  return { ...user, record: bytes.record, documents };
}

/** In an order that is always the same. */
function mapped<From, To>(user: UserOf<From>, turned: (bytes: From) => To): UserOf<To> {
  return {
    record: turned(user.record),
    full: turned(user.full),
    links: turned(user.links),
    publicFull: turned(user.publicFull),
    publicLinks: turned(user.publicLinks),
  };
}

/** Used again and again: memory that is new with each batch costs more than what is done with it. */
let scratch = new Uint8Array(1024 * 1024);

/** Bytes one after the other. Only one of these can be in the making. */
class JoinedBytes {
  length = 0;

  /** Returns how many these are. */
  add(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length);
    scratch.set(bytes, this.length);
    this.length += bytes.length;
    return bytes.length;
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
