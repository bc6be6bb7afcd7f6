import type { SQL } from "bun";
import type { CompiledSave } from "../store.ts";
import { statement } from "./statement.ts";

/**
 * What is noted already keeps its time, so that nobody who goes on changing puts off the announcement. The row is
 * written anew in any case, and so locked: a server cannot announce it before this change is there to be read. The
 * time is rounded down, as every clock's is here: rounded up it would be one that is still to come.
 */
const note = statement<unknown, [changes: string]>(`
  INSERT INTO vitrine.changes (user_number, noted_at, changed)
  SELECT number, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint, given.changed::text
  FROM json_to_recordset($1::text::json) AS given (number bigint, changed json)
  WHERE EXISTS (SELECT FROM vitrine.hooks WHERE hooks.user_number = given.number)
  ORDER BY number
  ON CONFLICT (user_number) DO UPDATE SET changed = (
    SELECT json_agg(name ORDER BY name)::text FROM (
      SELECT json_array_elements_text(changes.changed::json) UNION
      SELECT json_array_elements_text(excluded.changed::json)) AS both_of_them (name))`);

/** The outbox: notes who has changed, for those who want that to be announced. A new user has no hook yet. */
export async function noteChanges(saves: readonly CompiledSave[], sql: SQL): Promise<void> {
  const changes = saves.flatMap(({ earlier, compiled, changed }) =>
    earlier && compiled ? { number: earlier.number, changed } : [],
  );
  if (changes.length > 0) await note(sql, JSON.stringify(changes));
}
