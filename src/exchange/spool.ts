import { closeSync } from "node:fs";
import { writeAll } from "../logging/write-all.ts";
import { bytesOfDescriptor } from "./bytes.ts";
import type { PackedPlan } from "./packed-plan.ts";
import type { Part } from "./parts.ts";
import { openTemporaryFile } from "./temporary.ts";

interface Entry {
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** Keeps the plans of an import on disk, in their order, until all of them are known to be good. */
export class Spool implements Disposable {
  readonly #descriptor = openTemporaryFile();
  readonly #entries: Entry[] = [];
  #end = 0;
  records = 0;

  add(part: Part, records: number, plan: PackedPlan): void {
    this.records += records;
    writeAll(this.#descriptor, plan);
    const start = this.#end;
    this.#end += plan.length;
    this.#entries.push({ part, start, end: this.#end });
  }

  async *plans(): AsyncGenerator<{ part: Part; plan: PackedPlan }> {
    const file = bytesOfDescriptor(this.#descriptor);
    for (const { part, start, end } of this.#entries) yield { part, plan: await file.slice(start, end) };
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
