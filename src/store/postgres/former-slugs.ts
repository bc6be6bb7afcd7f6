import type { SQL } from "bun";
import type { CompiledSave } from "../store.ts";
import { statement } from "./statement.ts";

const put = statement<unknown, [slugs: string]>(`
  INSERT INTO vitrine.former_slugs (path, user_number, tree_id, replaced_at)
  SELECT path, user_number, tree_id, replaced_at FROM json_to_recordset($1::text::json)
    AS given (path text, user_number bigint, tree_id text, replaced_at bigint)
  ON CONFLICT (path, user_number) DO UPDATE SET
    tree_id = excluded.tree_id, replaced_at = excluded.replaced_at`);

/** Notes the slugs that were given up. Most batches have none. */
export async function noteFormerSlugs(saves: readonly CompiledSave[], now: number, sql: SQL): Promise<void> {
  const slugs = saves.flatMap(({ earlier, compiled, formerSlugs }) =>
    earlier && compiled
      ? formerSlugs.map(({ path, treeId }) => ({
          path,
          user_number: earlier.number,
          tree_id: treeId,
          replaced_at: now,
        }))
      : [],
  );
  if (slugs.length > 0) await put(sql, JSON.stringify(slugs));
}
