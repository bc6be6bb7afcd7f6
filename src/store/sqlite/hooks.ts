import type { Database } from "bun:sqlite";
import { newId } from "../../records/ids.ts";
import { foldEmail } from "../../records/record.ts";
import { NoSuchUser } from "../access.ts";
import {
  columnsOf,
  type DeliveryInfo,
  type Hook,
  type HookColumns,
  type HookRow,
  type Hooks,
  hookOf,
  LOG_LENGTH,
  type NewHook,
  TEST_EVENT,
  type TestColumns,
} from "../hooks.ts";
import { writing } from "./transaction.ts";

const HOOKS = `
  SELECT hooks.id, users.email, users.id AS userId, url, headers, body, secret, events, created_at AS createdAt,
    failing_since AS failingSince, disabled_at AS disabledAt
  FROM hooks JOIN users ON users.number = hooks.user_number`;

function prepareStatements(database: Database) {
  return {
    insert: database.prepare<unknown, HookColumns>(`
      INSERT INTO hooks (id, user_number, url, headers, body, secret, events, created_at)
      SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, ?8 FROM users WHERE folded_email = ?2`),
    all: database.prepare<HookRow, []>(`${HOOKS} ORDER BY hooks.created_at, hooks.id`),
    of: database.prepare<HookRow, [string]>(
      `${HOOKS} WHERE users.folded_email = ? ORDER BY hooks.created_at, hooks.id`,
    ),
    byId: database.prepare<HookRow, [string]>(`${HOOKS} WHERE hooks.id = ?`),
    remove: database.prepare<unknown, [string]>("DELETE FROM hooks WHERE id = ?"),
    log: database.prepare<DeliveryInfo, [string]>(`
      SELECT id, event, created_at AS createdAt, state, attempts, iif(state = 'waiting', due_at, NULL) AS dueAt,
        ended_at AS endedAt, status, fault
      FROM deliveries WHERE hook_id = ? ORDER BY created_at DESC, id DESC LIMIT ${LOG_LENGTH}`),
    noteTest: database.prepare<unknown, TestColumns>(`
      INSERT INTO deliveries
        (id, hook_id, event, details, created_at, state, attempts, due_at, ended_at, status, fault)
      SELECT ?1, id, '${TEST_EVENT}', '{}', ?3, ?4, 1, ?3, ?3, ?5, ?6 FROM hooks WHERE id = ?2`),
    revive: database.prepare<unknown, [string]>(
      "UPDATE hooks SET failing_since = NULL, disabled_at = NULL WHERE id = ?",
    ),
  };
}

export class SqliteHooks implements Hooks {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async add(hook: NewHook): Promise<Hook> {
    const { headers, events } = columnsOf(hook);
    const id = newId();
    return writing(this.#database, () => {
      const { insert, byId } = this.#statements;
      insert.run(id, foldEmail(hook.email), hook.url, headers, hook.body, hook.secret, events, this.#now());
      const added = byId.get(id);
      if (!added) throw new NoSuchUser();
      return hookOf(added);
    });
  }

  async list(email?: string): Promise<Hook[]> {
    const { all, of } = this.#statements;
    return (email === undefined ? all.all() : of.all(foldEmail(email))).map(hookOf);
  }

  async find(id: string): Promise<Hook | null> {
    const row = this.#statements.byId.get(id);
    return row && hookOf(row);
  }

  async remove(id: string): Promise<boolean> {
    return writing(this.#database, () => this.#statements.remove.run(id).changes > 0);
  }

  async log(id: string): Promise<DeliveryInfo[]> {
    return this.#statements.log.all(id);
  }

  async noteTest(id: string, test: Parameters<Hooks["noteTest"]>[1]): Promise<void> {
    const { deliveryId, wentWell, status, fault } = test;
    await writing(this.#database, () => {
      const state = wentWell ? "delivered" : "failed";
      this.#statements.noteTest.run(deliveryId, id, this.#now(), state, status, fault);
      if (wentWell) this.#statements.revive.run(id);
    });
  }
}
