import type { Database, Statement } from "bun:sqlite";
import type { CompiledSave } from "../store.ts";

/** The outbox: notes who has changed, for those who want that to be announced. */
export class ChangeRows {
  readonly #hasHooks: Statement<{ found: number }, []>;
  readonly #note: Statement<unknown, [changes: string]>;

  constructor(database: Database) {
    this.#hasHooks = database.prepare("SELECT EXISTS (SELECT 1 FROM hooks) AS found");
    // What is noted already keeps its time, so that nobody who goes on changing puts off the announcement.
    this.#note = database.prepare(`
      INSERT INTO changes (user_number, noted_at, changed)
      SELECT value ->> 'number', CAST(unixepoch('subsec') * 1000 AS INTEGER), value -> 'changed'
      FROM json_each(?) WHERE value ->> 'number' IN (SELECT user_number FROM hooks)
      ON CONFLICT (user_number) DO UPDATE SET changed = (
        SELECT json_group_array(value) FROM (
          SELECT value FROM json_each(changes.changed) UNION SELECT value FROM json_each(excluded.changed)))`);
  }

  /** In the transaction that writes the saves. A new user has no hook yet. */
  note(saves: readonly CompiledSave[]): void {
    const changes = saves.flatMap(({ earlier, compiled, changed }) =>
      earlier && compiled ? { number: earlier.number, changed } : [],
    );
    if (changes.length > 0 && this.#hasHooks.get()?.found) this.#note.run(JSON.stringify(changes));
  }
}
