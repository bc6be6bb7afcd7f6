import { closeSync } from "node:fs";
import { writeAll } from "../logging/write-all.ts";
import { type Parcel, unpack } from "../store/save/parcel.ts";
import type { CompiledBatch } from "../store/store.ts";
import { bytesOfDescriptor } from "./bytes.ts";
import type { Part } from "./parts.ts";
import { openTemporaryFile, puttingAside } from "./temporary.ts";

interface Entry {
  readonly part: Part;
  readonly start: number;
  readonly end: number;
  readonly textBytes: number;
}

/** Keeps what an import will write on disk, in its order, until all of it is known to be good. */
export class Spool implements Disposable {
  readonly #descriptor = openTemporaryFile();
  readonly #entries: Entry[] = [];
  #end = 0;
  records = 0;

  add(part: Part, records: number, { bytes, textBytes }: Parcel): void {
    this.records += records;
    puttingAside(() => writeAll(this.#descriptor, bytes));
    const start = this.#end;
    this.#end += bytes.length;
    this.#entries.push({ part, start, end: this.#end, textBytes });
  }

  async *batches(): AsyncGenerator<{ part: Part; batch: CompiledBatch }> {
    const file = bytesOfDescriptor(this.#descriptor);
    for (const { part, start, end, textBytes } of this.#entries)
      yield { part, batch: unpack({ bytes: await file.slice(start, end), textBytes }) };
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
