import { closeSync, constants, openSync, writeSync } from "node:fs";
import { until } from "./until.ts";

/** A named pipe among the files that a command reads: the command waits there until the test lets it go on. */
export class Gate {
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
    const { success, stderr } = Bun.spawnSync(["mkfifo", path]);
    if (!success) throw new Error(stderr.toString());
  }

  /** Waits until the command stands before it, and so has read what comes before it. */
  async reached(): Promise<void> {
    this.#descriptor = await until("a command to come to the gate", () => this.#tryOpen());
  }

  /** A pipe can be opened for writing, without waiting, once somebody has it open for reading. */
  #tryOpen(): number | undefined {
    try {
      return openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENXIO") return undefined;
      throw error;
    }
  }

  /** Lets the command go on, with this for the content of the file. */
  open(content = ""): void {
    if (this.#descriptor === undefined) throw new Error("nobody stands before the gate");
    if (content) writeSync(this.#descriptor, content);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
