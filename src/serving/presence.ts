import type { Log } from "../logging/log.ts";
import type { CountWriter } from "../store/count-writer.ts";
import { faultOf } from "../store/faults.ts";
import type { StoreFault } from "../store/unavailable.ts";

/** How often a server is noted in its database. Others take it for gone after six times as long. */
const NOTE_MS = 5000;

/** What is told of here. Of a database that is away, or locked, others tell. */
const WORDS: { readonly [fault in StoreFault]?: string } = {
  standby: "the database is read-only: views and clicks cannot be counted",
  "no-permission": "this server may not be noted in the database: others on the same one go unnoticed",
};

/**
 * Notes in the database that this server runs, and finds out whether others run on the same one: without Redis each
 * of them counts requests for itself, and lets a user in as often as the limits say. The first note also shows whether
 * the database can be written at all.
 */
export class Presence {
  readonly #id = crypto.randomUUID();
  readonly #writer: Pick<CountWriter, "meet">;
  readonly #log: Log;
  readonly #sharesLimits: boolean;
  readonly #timer: ReturnType<typeof setInterval>;
  #underWay: Promise<void> | undefined;
  #others = 0;
  #fault: StoreFault | undefined;

  constructor(writer: Pick<CountWriter, "meet">, log: Log, { sharesLimits }: { sharesLimits: boolean }) {
    this.#writer = writer;
    this.#log = log;
    this.#sharesLimits = sharesLimits;
    this.#timer = setInterval(() => this.#note(), NOTE_MS);
    this.#timer.unref();
    this.#note();
  }

  /** How many other servers run on the same database. */
  get others(): number {
    return this.#others;
  }

  /** Whether the database is one that can only be read. */
  get isReadOnly(): boolean {
    return this.#fault === "standby";
  }

  #note(): void {
    this.#underWay ??= this.#meetOthers().finally(() => {
      this.#underWay = undefined;
    });
  }

  async #meetOthers(): Promise<void> {
    try {
      this.#see(await this.#writer.meet(this.#id));
      if (this.isReadOnly)
        this.#log.info("the database is no longer read-only: views and clicks are counted");
      this.#fault = undefined;
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #see(others: number): void {
    if (!this.#sharesLimits && others > 0 && this.#others === 0)
      this.#log.warn(
        "other servers run on this database, and without REDIS_URL each counts requests for itself",
        { others },
      );
    if (!this.#sharesLimits && others === 0 && this.#others > 0)
      this.#log.info("no other server runs on this database any more");
    this.#others = others;
  }

  #fail(error: Error): void {
    this.#others = 0;
    const fault = faultOf(error);
    const words = fault !== this.#fault && fault && WORDS[fault];
    if (words) this.#log.warn(words, { reason: error.message });
    this.#fault = fault;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }
}
