import type { MaybePromise } from "../async/maybe-promise.ts";
import type { VisitedTree } from "./reader.ts";

/** A preview picture that was drawn. */
export interface DrawnPreview extends VisitedTree {
  readonly scene: string;
  readonly bytes: Uint8Array;
}

/** Keeps preview pictures, and can write nothing else. */
export interface PreviewWriter {
  /** In place of the one before. Nothing is kept of a page that is gone, or that shows something else by now. */
  keep(preview: DrawnPreview): MaybePromise<void>;
}
