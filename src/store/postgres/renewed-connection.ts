import { withDeadline } from "../../async/maybe-promise.ts";
import type { PostgresLocation } from "../location.ts";
import { type CountConnection, openCountConnection, type Parameter, RECONNECT_MS } from "./connection.ts";

/** Longer than the server lets the statement take: what is late by then is not late by the database's own doing. */
const MAX_WAIT_MS = 3000;

/** A connection for single statements, which are transactions each. After a failure there is a new one. */
export class RenewedConnection {
  readonly #location: PostgresLocation;
  #connection: CountConnection | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Without a connection, one is made when it is first needed. */
  constructor(location: PostgresLocation, connection?: CountConnection) {
    this.#location = location;
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  /** One after the other: what fails takes its connection along, and must not take another statement with it. */
  run<Row>(statement: string, values: Parameter[]): Promise<Row[]> {
    const turn = this.#lastTurn.then(() => this.#runAlone(statement, values));
    this.#lastTurn = turn.catch(() => {});
    return turn as Promise<Row[]>;
  }

  /** A connection on which a statement failed is not used again: the next one takes a new connection. */
  async #runAlone(statement: string, values: Parameter[]): Promise<unknown[]> {
    if (this.#isClosed) throw new Error("the connection is closed");
    this.#connection ??= await openCountConnection(this.#location, RECONNECT_MS);
    const connection = this.#connection;
    try {
      return await withDeadline(connection.run(statement, values), MAX_WAIT_MS);
    } catch (error) {
      this.#connection = undefined;
      await connection.sql.close({ timeout: 0 });
      throw error;
    }
  }

  /** What waits for its turn is not run any more: each might wait for a database that hangs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.sql.close({ timeout: 0 });
  }
}
