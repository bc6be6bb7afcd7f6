import type { SQL } from "bun";
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
import { statement } from "./statement.ts";

const HOOKS = `
  SELECT hooks.id, users.email, users.id AS "userId", url, headers, body, secret, events,
    created_at::float8 AS "createdAt", failing_since::float8 AS "failingSince", disabled_at::float8 AS "disabledAt"
  FROM vitrine.hooks JOIN vitrine.users ON users.number = hooks.user_number`;

/** What is added belongs to a row that is held meanwhile: who is being deleted is not there any more. */
const insertHook = statement<unknown, HookColumns>(`
  INSERT INTO vitrine.hooks (id, user_number, url, headers, body, secret, events, created_at)
  SELECT $1, number, $3, $4, $5, $6, $7, $8::float8 FROM vitrine.users WHERE folded_email = $2
  FOR KEY SHARE`);
const allHooks = statement<HookRow>(`${HOOKS} ORDER BY hooks.created_at, hooks.id`);
const hooksOf = statement<HookRow, [email: string]>(
  `${HOOKS} WHERE users.folded_email = $1 ORDER BY hooks.created_at, hooks.id`,
);
const hookById = statement<HookRow, [id: string]>(`${HOOKS} WHERE hooks.id = $1`);
const removeHook = statement<unknown, [id: string]>("DELETE FROM vitrine.hooks WHERE id = $1 RETURNING id");
const logOf = statement<DeliveryInfo, [id: string]>(`
  SELECT id, event, created_at::float8 AS "createdAt", state, attempts,
    CASE WHEN state = 'waiting' THEN due_at::float8 END AS "dueAt", ended_at::float8 AS "endedAt", status, fault
  FROM vitrine.deliveries WHERE hook_id = $1 ORDER BY deliveries.created_at DESC, id DESC LIMIT ${LOG_LENGTH}`);
const noteTest = statement<unknown, TestColumns>(`
  INSERT INTO vitrine.deliveries
    (id, hook_id, event, details, created_at, state, attempts, due_at, ended_at, status, fault)
  SELECT $1, id, '${TEST_EVENT}', '{}', $3::float8, $4, 1, $3::float8, $3::float8, $5::int, $6
  FROM vitrine.hooks WHERE id = $2 FOR KEY SHARE`);
const revive = statement<unknown, [id: string]>(
  "UPDATE vitrine.hooks SET failing_since = NULL, disabled_at = NULL WHERE id = $1",
);

export class PostgresHooks implements Hooks {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async add(hook: NewHook): Promise<Hook> {
    const { headers, events } = columnsOf(hook);
    const id = newId();
    const { email, url, body, secret } = hook;
    await insertHook(this.#sql, id, foldEmail(email), url, headers, body, secret, events, this.#now());
    const added = await this.find(id);
    if (!added) throw new NoSuchUser();
    return added;
  }

  async list(email?: string): Promise<Hook[]> {
    const rows = email === undefined ? await allHooks(this.#sql) : await hooksOf(this.#sql, foldEmail(email));
    return rows.map(hookOf);
  }

  async find(id: string): Promise<Hook | null> {
    const [row] = await hookById(this.#sql, id);
    return row ? hookOf(row) : null;
  }

  async remove(id: string): Promise<boolean> {
    return (await removeHook(this.#sql, id)).length > 0;
  }

  log(id: string): Promise<DeliveryInfo[]> {
    return logOf(this.#sql, id);
  }

  async noteTest(id: string, test: Parameters<Hooks["noteTest"]>[1]): Promise<void> {
    const { deliveryId, wentWell, status, fault } = test;
    const state = wentWell ? "delivered" : "failed";
    await this.#sql.begin(async (sql) => {
      await noteTest(sql, deliveryId, id, this.#now(), state, status, fault);
      if (wentWell) await revive(sql, id);
    });
  }
}
