import type { SQL } from "bun";
import { KEPT_FORMER_SLUGS } from "../../records/former-slugs.ts";
import type { CompiledSave } from "../store.ts";
import { statement } from "./statement.ts";

const put = statement<unknown, [slugs: string]>(`
  INSERT INTO vitrine.former_slugs (path, user_number, tree_id, replaced_at)
  SELECT path, user_number, tree_id, replaced_at FROM json_to_recordset($1::text::json)
    AS given (path text, user_number bigint, tree_id text, replaced_at bigint)
  ON CONFLICT (path, user_number) DO UPDATE SET
    tree_id = excluded.tree_id, replaced_at = excluded.replaced_at`);

const trim = statement<unknown, [numbers: readonly number[]]>(`
  DELETE FROM vitrine.former_slugs AS former USING (
    SELECT path, user_number,
      row_number() OVER (PARTITION BY user_number ORDER BY replaced_at DESC, path) AS place
    FROM vitrine.former_slugs WHERE user_number = ANY ($1::bigint[])
  ) AS latest
  WHERE former.path = latest.path AND former.user_number = latest.user_number AND place > ${KEPT_FORMER_SLUGS}`);

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
  if (slugs.length === 0) return;
  await put(sql, JSON.stringify(slugs));
  await trim(sql, [...new Set(slugs.map(({ user_number }) => user_number))]);
}
