import { SQL } from "bun";
import type { Log } from "../../logging/log.ts";
import { Pauses } from "../../pauses.ts";
import type { PostgresLocation } from "../database-url.ts";
import { StoreUnavailable } from "../reader.ts";
import { openReadOnly, RECONNECT_MS, type ReadOnly } from "./connection.ts";

/**
 * So long a read waits for the database, whatever it waits for: a connection, the statement, or a server that is
 * being restarted. Ticks are counted, because a moment in which this process stood still is not the database's.
 */
const TICK_MS = 50;
const MOST_TICKS = 15;
export const MOST_WAIT_MS = TICK_MS * MOST_TICKS;

/** Between attempts to get the database back. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

type Value = string | Uint8Array;

interface Waiting {
  /** What is read, for whoever is told that it could not be. */
  readonly what: string;
  readonly statement: string;
  readonly values: Value[];
  readonly since: number;
  wasLost: boolean;
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Connections to read through, which come back by themselves. What was asked of a connection that is lost is asked
 * again of another one. When the database has answered nobody for as long as a read may wait, it counts as away:
 * then every read fails at once, until a new connection has shown that the database is back.
 */
export class ReadPool {
  readonly #location: PostgresLocation;
  readonly #size: number;
  readonly #log: Log | undefined;
  /** In the order in which they were asked, so that the first has waited longest. */
  readonly #waiting = new Set<Waiting>();
  #connections: ReadOnly | undefined;
  #failure = new Error("no connection yet");
  #isAway = false;
  #closed = false;
  #ticks = 0;
  #answeredAt = 0;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  private constructor(location: PostgresLocation, size: number, log: Log | undefined) {
    this.#location = location;
    this.#size = size;
    this.#log = log;
  }

  /** Fails where the database is away: whoever starts a server wants to know. */
  static async open(location: PostgresLocation, size: number, log?: Log): Promise<ReadPool> {
    const pool = new ReadPool(location, size, log);
    pool.#connections = await openReadOnly(location, size);
    return pool;
  }

  /** The first row, or null. */
  read<Row>(what: string, statement: string, values: Value[]): Promise<Row | null> {
    if (this.#isAway) return Promise.reject(unavailable(what, this.#failure));
    return new Promise<unknown>((resolve, reject) => {
      const waiting = { what, statement, values, since: this.#ticks, wasLost: false, resolve, reject };
      this.#waiting.add(waiting);
      this.#ticker ??= setInterval(this.#tick, TICK_MS);
      if (this.#connections) this.#send(waiting, this.#connections);
    }) as Promise<Row | null>;
  }

  #send(waiting: Waiting, connections: ReadOnly): void {
    connections.run(waiting.statement, waiting.values).then(
      (rows) => {
        this.#answeredAt = this.#ticks;
        if (this.#waiting.delete(waiting)) waiting.resolve(rows[0] ?? null);
      },
      (error: Error) => {
        if (!isLoss(error)) {
          this.#answeredAt = this.#ticks;
          if (this.#waiting.delete(waiting)) waiting.reject(unavailable(waiting.what, error));
        } else if (connections === this.#connections && this.#waiting.has(waiting)) {
          if (waiting.wasLost) this.#lose(error);
          else {
            waiting.wasLost = true;
            this.#send(waiting, connections);
          }
        }
      },
    );
  }

  readonly #tick = (): void => {
    this.#ticks++;
    const [oldest] = this.#waiting;
    if (oldest === undefined) this.#stopTicking();
    else if (this.#ticks - oldest.since > MOST_TICKS) this.#giveUp(oldest);
  };

  #stopTicking(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #giveUp(oldest: Waiting): void {
    const late = new Error(`no answer within ${MOST_WAIT_MS} ms`);
    if (this.#answeredAt < oldest.since) {
      if (this.#connections) this.#lose(late);
      this.#isAway = true;
      this.#log?.error("the database is away", { reason: this.#failure.message });
      this.#fail(this.#failure, () => true);
      return;
    }
    // Others were answered: it is a single connection that hangs, or a slow statement. Bun gives it nothing more.
    this.#fail(late, ({ since }) => this.#ticks - since > MOST_TICKS);
  }

  #fail(error: Error, which: (waiting: Waiting) => boolean): void {
    for (const waiting of this.#waiting) {
      if (!which(waiting)) continue;
      this.#waiting.delete(waiting);
      waiting.reject(unavailable(waiting.what, error));
    }
  }

  /** Those who wait are asked again as soon as there is a connection, if their time is not over by then. */
  #lose(error: Error): void {
    const lost = this.#connections;
    this.#connections = undefined;
    this.#failure = error;
    void lost?.sql.close({ timeout: 0 });
    void this.#connect();
  }

  async #connect(): Promise<void> {
    let connections: ReadOnly;
    try {
      connections = await openReadOnly(this.#location, this.#size, RECONNECT_MS);
    } catch (error) {
      this.#failure = error as Error;
      this.#tryLater();
      return;
    }
    if (this.#closed) {
      await connections.sql.close({ timeout: 0 });
      return;
    }
    this.#connections = connections;
    if (this.#isAway) this.#log?.info("the database answers again");
    this.#isAway = false;
    this.#pauses.startAgain();
    for (const waiting of this.#waiting) this.#send(waiting, connections);
  }

  #tryLater(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => void this.#connect(), this.#pauses.nextSpread());
    this.#retry.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#stopTicking();
    this.#fail(new Error("the connections are closed"), () => true);
    const connections = this.#connections;
    this.#connections = undefined;
    await connections?.sql.close({ timeout: 0 });
  }
}

function unavailable(what: string, cause: Error): StoreUnavailable {
  return new StoreUnavailable(`${what} could not be read`, { cause });
}

/**
 * Whether a failure is of the connection and not of what was asked: Bun lost it or never got it, or the server is
 * ending, starting, full or (a replica) had to break off a read. PostgreSQL's manual, appendix A.
 */
function isLoss(error: Error): boolean {
  if (!(error instanceof SQL.PostgresError)) return false;
  if (error.code !== "ERR_POSTGRES_SERVER_ERROR") return /_(?:CONNECTION|IDLE|LIFETIME)_/.test(error.code);
  return /^(?:08|40|53|57P)/.test(error.errno ?? "");
}
