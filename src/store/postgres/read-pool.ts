import { WaitingRoom } from "../../async/waiting-room.ts";
import type { Log } from "../../logging/log.ts";
import type { PostgresLocation } from "../location.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { openReadOnly, RECONNECT_MS, type ReadOnly } from "./connection.ts";

const TICK_MS = 50;
const MAX_TICKS = 15;

/** The longest that a read waits: for a connection, for the statement, or for a server that is being restarted. */
export const MAX_WAIT_MS = TICK_MS * MAX_TICKS;

/** Every connection counts as a good one, because it has answered a statement. */
const PATIENCE = { tickMs: TICK_MS, maxTicks: MAX_TICKS, firstPauseMs: 50, maxPauseMs: 1000, goodMs: 0 };

type Value = string | number | Uint8Array;

interface Read {
  /** What is read, to say that it could not be. */
  readonly what: string;
  readonly statement: string;
  readonly values: Value[];
  wasLost: boolean;
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Connections to read through, which come back by themselves. What was asked of a connection that is lost is asked
 * again of another one. When the database has answered no read for as long as one may wait, it counts as away:
 * then every read fails at once, until a new connection has shown that the database is back.
 */
export class ReadPool {
  readonly #room: WaitingRoom<ReadOnly, Read>;

  private constructor(location: PostgresLocation, size: number, log: Log | undefined) {
    this.#room = new WaitingRoom(
      {
        connect: () => openReadOnly(location, size, { maxMs: RECONNECT_MS }),
        disconnect: ({ sql }) => sql.close({ timeout: 0 }),
        onLate: (reason, wereOthersAnswered) => this.#giveUp(reason, wereOthersAnswered),
        onAway: ({ message: reason }) => log?.error("the database is away", { reason }),
        onConnected: (connections, wasAway) => {
          if (wasAway) log?.info("the database answers again");
          for (const read of this.#room.questions) this.#send(read, connections);
        },
      },
      PATIENCE,
    );
  }

  /** Fails where the database is away: a server that is started says so. */
  static async open(location: PostgresLocation, size: number, log?: Log): Promise<ReadPool> {
    const connections = await openReadOnly(location, size);
    const pool = new ReadPool(location, size, log);
    pool.#room.use(connections);
    return pool;
  }

  /** The first row, or null. */
  read<Row>(what: string, statement: string, values: Value[]): Promise<Row | null> {
    if (this.#room.isAway) return Promise.reject(unavailable(what, this.#room.failure));
    return new Promise<unknown>((resolve, reject) => {
      const read: Read = { what, statement, values, wasLost: false, resolve, reject };
      this.#room.enter(read);
      if (this.#room.connection) this.#send(read, this.#room.connection);
    }) as Promise<Row | null>;
  }

  #send(read: Read, connections: ReadOnly): void {
    connections.run(read.statement, read.values).then(
      (rows) => {
        if (this.#room.answered(read)) read.resolve(rows[0] ?? null);
      },
      (error: Error) => {
        if (!isLoss(error)) {
          if (this.#room.answered(read)) read.reject(unavailable(read.what, error));
        } else if (connections === this.#room.connection && this.#room.isWaiting(read)) {
          if (read.wasLost) this.#lose(connections, error);
          else {
            read.wasLost = true;
            this.#send(read, connections);
          }
        }
      },
    );
  }

  #giveUp(reason: Error, wereOthersAnswered: boolean): void {
    if (wereOthersAnswered) {
      // It is a single connection that hangs, or a slow statement. Bun gives that connection nothing more.
      fail(this.#room.takeLate(), reason);
      return;
    }
    if (this.#room.connection) this.#lose(this.#room.connection, reason);
    this.#room.goAway();
    fail(this.#room.takeAll(), this.#room.failure);
  }

  /** What waits is asked again as soon as there is a connection, if its time is not over by then. */
  #lose(connections: ReadOnly, reason: Error): void {
    if (this.#room.lose(connections, reason)) void this.#room.connect();
  }

  async close(): Promise<void> {
    fail(this.#room.takeAll(), new Error("the connections are closed"));
    await this.#room.close();
  }
}

function fail(reads: readonly Read[], cause: Error): void {
  for (const { what, reject } of reads) reject(unavailable(what, cause));
}

function unavailable(what: string, cause: Error): StoreUnavailable {
  return new StoreUnavailable(`${what} could not be read`, { cause });
}

/**
 * Whether a failure is of the connection and not of what was asked: Bun lost it or never got it, or the server is
 * ending, starting, full or (a replica) had to break off a read. PostgreSQL's manual, appendix A.
 */
function isLoss(error: Error): boolean {
  if (!(error instanceof Bun.SQL.PostgresError)) return false;
  if (error.code !== "ERR_POSTGRES_SERVER_ERROR") return /_(?:CONNECTION|IDLE|LIFETIME)_/.test(error.code);
  return /^(?:08|40|53|57P)/.test(error.errno ?? "");
}
