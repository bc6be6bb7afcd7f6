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

type PackedSave = Omit<CompiledSave, "compiled" | "replaced"> & {
  readonly compiled: { readonly sizes: readonly number[]; readonly user: PackedUser } | undefined;
  readonly replaced: number | undefined;
};

export function pack(batch: CompiledBatch): Parcel {
  const run = new JoinedBytes();
  const saves = batch.saves.map(
    (save): PackedSave => ({
      ...save,
      compiled: save.compiled && {
        sizes: bytesOf(save.compiled).map((bytes) => run.add(bytes)),
        user: withBytes(save.compiled, []),
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
      compiled: compiled && withBytes(compiled.user, compiled.sizes.map(next)),
      replaced: replaced === undefined ? undefined : next(replaced),
    })),
  };
}

/** What is bytes in a compiled user, in the order in which `withBytes` takes it. */
function bytesOf({ record, documents }: PackedUser): Uint8Array[] {
  const { full, links, public: shown } = documents;
  return [record, full.body, links.body, shown.full.body, shown.links.body];
}

const NO_BYTES = new Uint8Array();

/** A user with these bytes. Without any, it is what JSON can hold of it. */
function withBytes(user: PackedUser, bytes: readonly Uint8Array[]): PackedUser {
  const [record = NO_BYTES, ...bodies] = bytes;
  const [fullBody = NO_BYTES, linksBody = NO_BYTES, shownFull = NO_BYTES, shownLinks = NO_BYTES] = bodies;
  const { full, links, public: shown } = user.documents;
  const documents: Documents = {
    ...user.documents,
    full: { ...full, body: fullBody },
    links: { ...links, body: linksBody },
    public: {
      ...shown,
      full: { ...shown.full, body: shownFull },
      links: { ...shown.links, body: shownLinks },
    },
  };
  return { ...user, record, documents };
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
