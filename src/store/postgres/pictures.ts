import type { SQL } from "bun";
import { NoSuchUser } from "../access.ts";
import { type KeptPicture, MOST_UPLOADS, settlePictures, surplusUploads } from "../kept-pictures.ts";
import type { NewPicture, Pictures } from "../pictures.ts";
import type { CompiledSave } from "../store.ts";
import type { VersionRow } from "../stored-record.ts";
import { statement } from "./statement.ts";
import { writing } from "./transaction.ts";

const putPicture = statement<
  { owner: number },
  [hash: string, type: string, now: number, bytes: Uint8Array, userId: string]
>(`
  INSERT INTO vitrine.pictures (hash, user_number, type, created_at, bytes)
  SELECT $1, number, $2, $3::float8, $4 FROM vitrine.users WHERE id = $5
  ON CONFLICT (hash, user_number) DO UPDATE SET created_at = excluded.created_at
  RETURNING user_number::float8 AS owner`);

const picturesOf = statement<KeptPicture & { owner: number }, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS owner, hash, created_at::float8 AS "putAt"
  FROM vitrine.pictures WHERE user_number = ANY ($1::bigint[])`);

const versionsOf = statement<VersionRow & { owner: number }, [numbers: readonly number[]]>(`
  SELECT number::float8 AS owner, record, packed_record AS "packedRecord"
  FROM vitrine.users WHERE number = ANY ($1::bigint[])
  UNION ALL SELECT user_number, '', record FROM vitrine.history WHERE user_number = ANY ($1::bigint[])`);

const movePictures = statement<
  unknown,
  [numbers: readonly number[], hashes: readonly string[], times: readonly number[]]
>(`
  UPDATE vitrine.pictures SET created_at = moved.created_at
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS moved (user_number, hash, created_at)
  WHERE pictures.user_number = moved.user_number AND pictures.hash = moved.hash`);

const removePictures = statement<unknown, [numbers: readonly number[], hashes: readonly string[]]>(`
  DELETE FROM vitrine.pictures USING unnest($1::bigint[], $2::text[]) AS removed (user_number, hash)
  WHERE pictures.user_number = removed.user_number AND pictures.hash = removed.hash`);

/** Settles what is kept of users who have been saved, within the transaction of their save. Most have no picture. */
export async function settlePicturesOf(saves: readonly CompiledSave[], now: number, sql: SQL): Promise<void> {
  const shown = new Map<number, string | undefined>();
  for (const { earlier, compiled, picture } of saves) {
    if (earlier && compiled) shown.set(earlier.number, picture);
  }
  const pictures = await picturesOf(sql, [...shown.keys()]);
  const others = pictures.filter(({ owner, hash }) => hash !== shown.get(owner));
  const found = others.length > 0 ? await versionsOf(sql, [...new Set(others.map(ownerOf))]) : [];
  const versions = Map.groupBy(found, ownerOf);
  const changes = [...Map.groupBy(pictures, ownerOf)].map(([owner, kept]) => ({
    owner,
    ...settlePictures(kept, shown.get(owner), versions.get(owner) ?? [], now),
  }));
  const moved = changes.flatMap((it) => it.moved.map((picture) => ({ ...picture, owner: it.owner })));
  const removed = changes.flatMap((it) => it.removed.map((hash) => ({ hash, owner: it.owner })));
  if (moved.length > 0)
    await movePictures(
      sql,
      moved.map(ownerOf),
      moved.map(({ hash }) => hash),
      moved.map(({ putAt }) => putAt),
    );
  if (removed.length > 0)
    await removePictures(
      sql,
      removed.map(ownerOf),
      removed.map(({ hash }) => hash),
    );
}

/** Removes the uploads that are too many with the one that has just been put. */
async function removeSurplus(owner: number, put: string, sql: SQL): Promise<void> {
  const pictures = await picturesOf(sql, [owner]);
  if (pictures.length <= MOST_UPLOADS) return;
  const surplus = surplusUploads(pictures, put, await versionsOf(sql, [owner]));
  const owners = surplus.map(() => owner);
  if (surplus.length > 0) await removePictures(sql, owners, surplus);
}

function ownerOf({ owner }: { readonly owner: number }): number {
  return owner;
}

export class PostgresPictures implements Pictures {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** Waits for a save that is under way, since that settles what is kept. */
  async put(userId: string, { hash, type, bytes }: NewPicture): Promise<void> {
    await writing(this.#sql, async (sql) => {
      const [put] = await putPicture(sql, hash, type, this.#now(), bytes, userId);
      if (!put) throw new NoSuchUser();
      await removeSurplus(put.owner, hash, sql);
    });
  }
}
