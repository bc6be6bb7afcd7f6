import type { MaybePromise } from "../async/maybe-promise.ts";
import type { Rendition } from "../documents/rendition.ts";

/** A rendition that was made, and what of. */
export interface MadeRendition extends Rendition {
  readonly userNumber: number;
  /** The tag of the full document of the record that it was made of. */
  readonly madeOf: string;
}

/** Keeps what was made when it was first asked for, and can write nothing else. */
export interface RenditionWriter {
  /** In place of those before. Nothing is kept of a record that has changed since, or that is gone. */
  keep(renditions: readonly MadeRendition[]): MaybePromise<void>;
}
