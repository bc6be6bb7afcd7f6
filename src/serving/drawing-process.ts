import { withDeadline } from "../async/maybe-promise.ts";
import { Pauses } from "../async/pauses.ts";
import type { DrawAnswer, DrawRequest } from "../previews/messages.ts";
import { ownCommand } from "./own-command.ts";

/** The longest that one picture may take, with the start of the process. It usually takes a tenth of a second. */
const DRAW_MS = 20_000;

/** How long the process stays without anything to draw. It holds about 100 MB. */
const IDLE_MS = 60_000;

/** Before it is started again after two failures in a row. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** What is not drawn because the server stops. */
export class DrawingStopped extends Error {
  override readonly name = "DrawingStopped";
}

interface DrawingOptions {
  /** What starts this program. */
  readonly command?: readonly string[];
  readonly idleMs?: number;
}

/**
 * A process of its own that draws, one picture at a time. It is started when there is something to draw, and ends when
 * there was nothing for a while. One that dies, or takes too long, is replaced by another when there is more to draw.
 */
export class DrawingProcess implements Disposable {
  readonly #command: readonly string[];
  readonly #idleMs: number;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #restsUntil = 0;
  #hasFailed = false;
  #isOver = false;
  #child: Bun.Subprocess | undefined;
  #asked: PromiseWithResolvers<Uint8Array> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor({ command = ownCommand(), idleMs = IDLE_MS }: DrawingOptions = {}) {
    this.#command = command;
    this.#idleMs = idleMs;
  }

  /** Absent while nothing is drawn. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  draw(request: DrawRequest): Promise<Uint8Array> {
    const turn = this.#lastTurn.then(() => this.#drawAlone(request));
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  async #drawAlone(request: DrawRequest): Promise<Uint8Array> {
    if (this.#isOver) throw new DrawingStopped();
    if (performance.now() < this.#restsUntil) throw new Error("the process that draws has just failed");
    clearTimeout(this.#idle);
    const asked = Promise.withResolvers<Uint8Array>();
    this.#asked = asked;
    try {
      this.#child ??= this.#start();
      this.#child.send(request);
      const png = await withDeadline(asked.promise, DRAW_MS);
      this.#hasFailed = false;
      this.#pauses.startAgain();
      return png;
    } catch (error) {
      // After a first failure the caller may try something else at once.
      if (this.#hasFailed) this.#restsUntil = performance.now() + this.#pauses.next();
      this.#hasFailed = true;
      this.#end();
      throw error;
    } finally {
      this.#asked = undefined;
      this.#idle = setTimeout(() => this.#end(), this.#idleMs);
      this.#idle.unref();
    }
  }

  /** It gets nothing of the environment: it has no use for what is secret there. */
  #start(): Bun.Subprocess {
    const child = Bun.spawn([...this.#command, "draw-previews"], {
      cwd: "/",
      env: {},
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      ipc: (answer: DrawAnswer) => {
        if ("png" in answer) this.#asked?.resolve(answer.png);
        else this.#asked?.reject(new Error(answer.failure));
      },
      onExit: (ended, exitCode, signal) => {
        if (this.#child !== ended) return;
        this.#child = undefined;
        this.#asked?.reject(new Error(`the process that draws ended (${signal ?? exitCode})`));
      },
    });
    child.unref();
    return child;
  }

  #end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#end();
    this.#asked?.reject(new DrawingStopped());
  }
}
