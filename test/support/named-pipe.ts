import { closeSync, constants, openSync, readSync } from "node:fs";
import { TemporaryFolder } from "./temporary-folder.ts";

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** A real pipe with both ends in this process, neither of which makes anybody wait. */
export class NamedPipe implements Disposable {
  readonly #folder = new TemporaryFolder();
  readonly #path = this.#folder.file("pipe");
  #reader: number;
  readonly writer: number;
  #isRead = true;

  constructor() {
    if (!Bun.spawnSync(["mkfifo", this.#path]).success) throw new Error("mkfifo failed");
    this.#reader = this.#openReader();
    this.writer = openSync(this.#path, O_WRONLY | O_NONBLOCK);
  }

  #openReader(): number {
    return openSync(this.#path, O_RDONLY | O_NONBLOCK);
  }

  /** All that is in it. */
  read(): string {
    const pieces: Buffer[] = [];
    const piece = Buffer.alloc(64 * 1024);
    try {
      for (;;) pieces.push(Buffer.from(piece.subarray(0, readSync(this.#reader, piece))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    return Buffer.concat(pieces).toString();
  }

  /** As when the program at its other end has ended. */
  closeReader(): void {
    if (this.#isRead) closeSync(this.#reader);
    this.#isRead = false;
  }

  /** As when another one takes its place. What was in the pipe is still there. */
  reopenReader(): void {
    this.#reader = this.#openReader();
    this.#isRead = true;
  }

  [Symbol.dispose](): void {
    this.closeReader();
    closeSync(this.writer);
    this.#folder[Symbol.dispose]();
  }
}
