import { Pauses } from "../async/pauses.ts";
import type { Log } from "../logging/log.ts";
import type { Family } from "../metrics/metrics.ts";
import type { Settings } from "../settings.ts";
import type { ToParent, ToWorker } from "./messages.ts";
import { ownCommand } from "./own-command.ts";

/** Before a worker that has died is replaced. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A worker that lived this long was a good one, and the next pause is a short one again. */
const GOOD_MS = 60_000;

/** The longest that metrics wait for a worker; one that does not answer is left out. */
const COLLECT_MS = 1000;

/**
 * How often a worker is asked whether it lives, and how many questions may stay without an answer. Questions are
 * counted rather than time measured: where the whole machine stood still, no worker is to blame.
 */
const ASK_MS = 1000;
const MAX_UNANSWERED = 5;

/** Thrown where a worker could not serve, or did not end as it should. What a worker said of it comes along. */
export class WorkerFailed extends Error {
  override readonly name = "WorkerFailed";
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

interface WorkerOptions {
  /** What starts this program. */
  readonly command?: readonly string[];
  readonly askMs?: number;
}

/** A place for a worker: the process that is in it, and the next one when that has died. */
export class WorkerProcess {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #worker: number;
  readonly #command: readonly string[];
  readonly #askMs: number;
  #child: Bun.Subprocess | undefined;
  #startedAt = 0;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;
  #collecting: PromiseWithResolvers<readonly Family[]> | undefined;
  #hasServed = false;
  #stopped: Promise<number> | undefined;
  #restarts = 0;

  constructor(
    worker: number,
    settings: Settings,
    log: Log,
    { command = ownCommand(), askMs = ASK_MS }: WorkerOptions = {},
  ) {
    this.#worker = worker;
    this.#settings = settings;
    this.#log = log;
    this.#command = command;
    this.#askMs = askMs;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get isAlive(): boolean {
    return this.#child !== undefined;
  }

  /** The first start, which must succeed. Resolves with the URL once requests are answered. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#spawn((message) => {
        if (message?.kind === "serving") resolve(message.url);
        else if (message?.kind === "failed") reject(new WorkerFailed(message.message, message.remedy));
        else if (!message) reject(new WorkerFailed("a worker ended before it served", "vitrine doctor"));
      });
    });
  }

  /** `listen` hears what the worker says, and nothing when it has ended. */
  #spawn(listen: (message?: ToParent) => void): void {
    this.#startedAt = performance.now();
    const child = Bun.spawn([...this.#command, "serve-worker"], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (message: ToParent) => {
        this.#unanswered = 0;
        if (message.kind === "serving") this.#startAsking();
        if (message.kind === "collected") this.#collecting?.resolve(message.families);
        if (message.kind === "failed" && this.#stopped)
          this.#log.error("a worker did not end as it should", {
            worker: this.#worker,
            reason: message.message,
          });
        else listen(message);
      },
      // A worker closes the channel when it is about to end.
      onDisconnect: () => clearInterval(this.#asking),
      onExit: (_, exitCode, signal) => {
        this.#child = undefined;
        clearInterval(this.#asking);
        this.#collecting?.resolve([]);
        listen();
        if (this.#hasServed) this.#replace(exitCode, signal);
      },
    });
    this.#child = child;
    this.#tell({ kind: "serve", settings: this.#settings });
  }

  /** From when it serves until it has ended: one that hangs while it stops would keep its parent for ever. */
  #startAsking(): void {
    this.#hasServed = true;
    this.#asking = setInterval(() => {
      if (this.#unanswered++ < MAX_UNANSWERED) this.#tell({ kind: "ask" });
      else this.#killHung();
    }, this.#askMs);
  }

  #killHung(): void {
    clearInterval(this.#asking);
    this.#log.error("a worker does not answer, and is killed", { worker: this.#worker });
    this.#child?.kill("SIGKILL");
  }

  #replace(exitCode: number | null, signal: number | string | null): void {
    if (this.#stopped) return;
    if (performance.now() - this.#startedAt > GOOD_MS) this.#pauses.startAgain();
    const pauseMs = this.#pauses.next();
    this.#log.error("a worker died; another one takes its place", {
      worker: this.#worker,
      exitCode,
      signal,
      pauseMs,
    });
    this.#startAfter(pauseMs);
  }

  #startAfter(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      // Counted whether or not it succeeds: who watches must hear of a worker that stays away.
      this.#restarts++;
      try {
        this.#spawn((message) => {
          if (message?.kind === "serving") this.#log.info("a worker serves again", { worker: this.#worker });
          if (message?.kind === "failed") this.#tellOfFailedStart(message.message);
        });
      } catch (error) {
        // The system has no room for one more process, or the executable is just being replaced.
        this.#tellOfFailedStart(String(error));
        this.#startAfter(this.#pauses.next());
      }
    }, pauseMs);
  }

  #tellOfFailedStart(reason: string): void {
    this.#log.error("a worker could not start", { worker: this.#worker, reason });
  }

  #tell(message: ToWorker): void {
    try {
      this.#child?.send(message);
    } catch {
      // The worker has closed the channel, or is dead, which `onDisconnect` and `onExit` are about to tell.
    }
  }

  /** Those who ask at the same time get the same answer. */
  async collect(): Promise<readonly Family[]> {
    if (!this.#child) return [];
    if (!this.#collecting) {
      const collecting = Promise.withResolvers<readonly Family[]>();
      this.#collecting = collecting;
      const timer = setTimeout(() => collecting.resolve([]), COLLECT_MS);
      collecting.promise.finally(() => {
        clearTimeout(timer);
        this.#collecting = undefined;
      });
      this.#tell({ kind: "collect" });
    }
    return this.#collecting.promise;
  }

  /** Lets the worker finish, and says how it ended. */
  stop(delayMs: number): Promise<number> {
    this.#stopped ??= this.#stop(delayMs);
    return this.#stopped;
  }

  async #stop(delayMs: number): Promise<number> {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child) return 0;
    this.#tell({ kind: "stop", delayMs });
    return child.exited;
  }
}
