import type { Database } from "bun:sqlite";
import { RENDITION_VERSION } from "../../documents/version.ts";
import { type CountBatch, INSTANCE_LIFE_MS } from "../count-writer.ts";
import type { DrawnPreview } from "../preview-writer.ts";
import type { MadeRendition } from "../rendition-writer.ts";
import { openCurrent } from "./connection.ts";
import type { FileConnection } from "./followed-file.ts";
import { HookRows } from "./hook-queue.ts";
import { OpenLog, openingFile } from "./open-log.ts";
import { writingAtOnce } from "./transaction.ts";

/** The longest a commit waits for another writer. The visitor has been answered long before. */
const BUSY_TIMEOUT_MS = 2000;

/** It goes through its pages in order and needs few at a time, in KiB. */
const CACHE_KIB = 8 * 1024;

/** What this connection may change: it may insert rows of some tables, delete those of some, and set single columns. */
const MAY_INSERT = ["counts", "instances", "deliveries", "previews", "renditions"];
const MAY_DELETE = ["instances", "changes", "deliveries"];
const MAY_SET: Readonly<Record<string, readonly string[]>> = {
  counts: ["count"],
  keys: ["last_used_at"],
  instances: ["seen"],
  hooks: ["failing_since", "disabled_at"],
  previews: ["scene", "bytes"],
  renditions: ["version", "etag", "picture_origin", "opening", "scene", "body"],
  deliveries: ["state", "attempts", "due_at", "ended_at", "status", "fault"],
};

type RenditionColumns = [
  userNumber: number,
  kind: string,
  treeId: string,
  etag: string,
  pictureOrigin: string,
  opening: string,
  scene: string,
  body: Uint8Array,
  madeOf: string,
];

type PreviewColumns = [userNumber: number, treeId: string, scene: string, bytes: Uint8Array];

type CountColumns = [userNumber: number, treeId: string, linkId: string, day: string, count: number];

function prepareStatements(database: Database) {
  return {
    // A user may have been deleted since the visit; that must not take the other counts along.
    add: database.prepare<unknown, CountColumns>(`
      INSERT INTO counts (user_number, tree_id, link_id, day, count)
      SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM users WHERE number = ?1)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`),
    // All keys at once, which SQLite then takes in the order of their hashes, and so each page of them once.
    touch: database.prepare<unknown, [usedAt: number, ids: string]>(`
      UPDATE keys SET last_used_at = ?1
      WHERE hash IN (SELECT hash FROM keys WHERE id IN (SELECT value FROM json_each(?2)))`),
    note: database.prepare<unknown, [id: string, now: number]>(`
      INSERT INTO instances (id, started, seen) VALUES (?1, ?2, ?2)
      ON CONFLICT DO UPDATE SET seen = excluded.seen`),
    forget: database.prepare<unknown, [id: string]>("DELETE FROM instances WHERE id = ?"),
    forgetGone: database.prepare<unknown, [now: number]>(
      `DELETE FROM instances WHERE abs(seen - ?) > ${INSTANCE_LIFE_MS}`,
    ),
    others: database.prepare<{ count: number }, [id: string]>(`
      SELECT count(*) AS count FROM instances AS own JOIN instances AS other ON other.id <> own.id
      WHERE own.id = ? AND other.seen > own.started`),
    expiringKeys: database.prepare<{ count: number }, [after: number, until: number]>(`
      SELECT count(*) AS count FROM keys WHERE expires_at > ? AND expires_at <= ? AND revoked_at IS NULL`),
    keepPreview: database.prepare<unknown, PreviewColumns>(`
      INSERT INTO previews (user_number, tree_id, scene, bytes)
      SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (
        SELECT 1 FROM renditions
        WHERE user_number = ?1 AND kind = iif(?2 = '', 'profile', 'page') AND tree_id = ?2 AND scene = ?3)
      ON CONFLICT DO UPDATE SET scene = excluded.scene, bytes = excluded.bytes`),
    // What a newer Vitrine has made stays: it will be read longer.
    keepRendition: database.prepare<unknown, RenditionColumns>(`
      INSERT INTO renditions
        (user_number, kind, tree_id, version, etag, picture_origin, opening, scene, body)
      SELECT ?1, ?2, ?3, ${RENDITION_VERSION}, ?4, ?5, ?6, ?7, ?8
      WHERE EXISTS (SELECT 1 FROM answers WHERE user_number = ?1 AND full_etag = ?9)
      ON CONFLICT DO UPDATE SET version = excluded.version, etag = excluded.etag,
        picture_origin = excluded.picture_origin, opening = excluded.opening, scene = excluded.scene,
        body = excluded.body
      WHERE version <= excluded.version`),
    settle: database.prepare("PRAGMA wal_checkpoint(PASSIVE)"),
  };
}

/** A connection that counts in one file, and keeps its queue of announcements, its pages and its preview pictures. */
export class CountConnection implements FileConnection {
  readonly hooks: HookRows;
  readonly #database: Database;
  readonly #log: OpenLog;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(file: string, now: () => number) {
    const opening = openingFile(file);
    this.#database = openCurrent(file);
    try {
      this.#database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
      forbidTheRest(this.#database);
      this.#statements = prepareStatements(this.#database);
      this.hooks = new HookRows(this.#database, now);
      this.#log = new OpenLog(opening);
    } catch (error) {
      this.#database.close(true);
      throw error;
    }
  }

  write({ counts, keyIds, usedAt }: CountBatch): void {
    writingAtOnce(this.#database, () => {
      for (const { userNumber, treeId, linkId, day, count } of counts)
        this.#statements.add.run(userNumber, treeId, linkId, day, count);
      if (keyIds.length > 0) this.#statements.touch.run(usedAt, JSON.stringify(keyIds));
    });
  }

  meet(instance: string, now: number): number {
    return writingAtOnce(this.#database, () => {
      this.#statements.forgetGone.run(now);
      this.#statements.note.run(instance, now);
      return this.#statements.others.get(instance)?.count ?? 0;
    });
  }

  forget(instance: string): void {
    this.#statements.forget.run(instance);
  }

  expiringKeys(after: number, until: number): number {
    return this.#statements.expiringKeys.get(after, until)?.count ?? 0;
  }

  keepPreview({ userNumber, treeId, scene, bytes }: DrawnPreview): void {
    writingAtOnce(this.#database, () => this.#statements.keepPreview.run(userNumber, treeId, scene, bytes));
  }

  keepRenditions(renditions: readonly MadeRendition[]): void {
    const { keepRendition } = this.#statements;
    writingAtOnce(this.#database, () => {
      for (const rendition of renditions) {
        const { userNumber, kind, treeId, etag, pictureOrigin, opening, scene, body, madeOf } = rendition;
        keepRendition.run(userNumber, kind, treeId, etag, pictureOrigin, opening, scene, body, madeOf);
      }
    });
  }

  /** While anything waits in the log, every read has to look there first. This waits for nobody. */
  settle(): void {
    this.#statements.settle.get();
  }

  leave(): boolean {
    this.#log.putAway(this.#database);
    return true;
  }

  close(): void {
    this.#database.close(true);
  }
}

/**
 * Triggers of this connection alone: only counters, the last use of keys, the notes of servers, what becomes of
 * announcements, pages and preview pictures change. Every table is asked for its columns, so that what a later schema adds is
 * forbidden from its first day.
 */
export function forbidTheRest(database: Database): void {
  const forbid = (name: string, event: string) =>
    database.run(`
      CREATE TEMP TRIGGER "${name}" BEFORE ${event} BEGIN
        SELECT RAISE(ABORT, 'this connection only counts and announces');
      END`);
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  for (const { name: table } of tables) {
    if (!MAY_DELETE.includes(table)) forbid(`no deletion of ${table}`, `DELETE ON main."${table}"`);
    if (!MAY_INSERT.includes(table)) forbid(`no insertion into ${table}`, `INSERT ON main."${table}"`);
    const columns = database
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .filter(({ name }) => !MAY_SET[table]?.includes(name));
    const others = columns.map(({ name }) => `"${name}"`).join(", ");
    forbid(`no change of ${table}`, `UPDATE OF ${others} ON main."${table}"`);
  }
}
