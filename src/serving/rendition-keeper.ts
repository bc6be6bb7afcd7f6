import type { Log } from "../logging/log.ts";
import type { MadeRendition, RenditionWriter } from "../store/rendition-writer.ts";

/** How many may wait to be kept. One more is not kept: it is made again for whoever asks next. */
const MOST_WAITING = 256;

interface KeeperParts {
  readonly writer: RenditionWriter;
  readonly canKeep: () => boolean;
  readonly log: Log;
}

/** Has what was made for a request stored, beside the requests. What comes in while one write lasts goes into the next. */
export class RenditionKeeper {
  readonly numbers = { kept: 0, dropped: 0, failed: 0 };
  readonly #parts: KeeperParts;
  #waiting: MadeRendition[] = [];
  #writing: Promise<void> | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  readonly keep = (made: MadeRendition): void => {
    if (this.#waiting.length >= MOST_WAITING || !this.#parts.canKeep()) {
      this.numbers.dropped++;
      return;
    }
    this.#waiting.push(made);
    this.#writing ??= this.#write();
  };

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const made = this.#waiting;
      this.#waiting = [];
      try {
        await this.#parts.writer.keep(made);
        this.numbers.kept += made.length;
      } catch (error) {
        this.numbers.failed += made.length;
        this.#parts.log.warn("pages could not be kept, and are made anew for each visit", {
          reason: (error as Error).message,
        });
      }
    }
    this.#writing = undefined;
  }

  /** Resolves once nothing is left to be written. */
  async close(): Promise<void> {
    await this.#writing;
  }
}
