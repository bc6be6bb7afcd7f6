import type { SQL } from "bun";
import type { StoredDocuments } from "../../documents/compare.ts";
import { type Documents, type LinkTreeSlice, SLICED_KINDS } from "../../documents/compile.ts";
import type { TargetChunk } from "../../documents/link-targets.ts";
import type { Rendition } from "../../documents/rendition.ts";
import { RENDITION_VERSION } from "../../documents/version.ts";
import {
  type DocumentsRow,
  documentsOf,
  ownLinks,
  publicDocumentsOf,
  sliceColumns,
} from "../documents-row.ts";
import { packRecord } from "../packed-record.ts";
import { compileEach, type DamagedUser, type RecordText } from "../stored-record.ts";
import { insertInto, type PackedColumns, PackedRows, unpacking } from "./packed-rows.ts";
import { packedStatement, statement } from "./statement.ts";

const SLICES: PackedColumns = Object.fromEntries(
  SLICED_KINDS.flatMap((kind) => [
    [`${kind}_etag`, "text"],
    [`${kind}_start`, "int"],
    [`${kind}_size`, "int"],
    [`${kind}_length`, "int"],
    [`${kind}_checksum`, "bigint"],
  ]),
);

const ANSWERS: PackedColumns = {
  user_number: "bigint",
  full_etag: "text",
  links_etag: "text",
  links: "long bytes",
  ...SLICES,
  body: "long bytes",
};

const PUBLIC_ANSWERS: PackedColumns = {
  user_number: "bigint",
  has_profile_page: "boolean",
  full_etag: "text",
  links_etag: "text",
  links: "long bytes",
  shared_start: "int",
  shared_size: "int",
  ...SLICES,
  body: "long bytes",
};

const TREE: PackedColumns = {
  slug: "text",
  id: "text",
  user_number: "bigint",
  etag: "text",
  start: "int",
  public_start: "int",
  size: "int",
  length: "int",
  checksum: "bigint",
};

const TARGETS: PackedColumns = {
  user_number: "bigint",
  tree_id: "text",
  first_id: "text",
  targets: "text",
};

type Owned<Item> = Item & { readonly userNumber: number };

function putInto(table: string, columns: PackedColumns) {
  return packedStatement(`
    ${insertInto(table, columns)}
    ON CONFLICT (user_number) DO UPDATE SET
      ${Object.keys(columns).map((column) => `${column} = excluded.${column}`)}`);
}

/** All that belongs to some users in a table that has one row for each of them. */
function rowsAmong(table: string) {
  return statement<Owned<DocumentsRow>, [numbers: readonly number[]]>(`
    SELECT user_number::float8 AS "userNumber", ${table}.* FROM vitrine.${table}
    WHERE user_number = ANY ($1::bigint[])`);
}

const putAnswers = putInto("answers", ANSWERS);
const putPublicAnswers = putInto("public_answers", PUBLIC_ANSWERS);
const answersAmong = rowsAmong("answers");
const publicAnswersAmong = rowsAmong("public_answers");

const insertTrees = packedStatement(insertInto("trees", TREE));
const deleteTrees = statement<
  unknown,
  [owners: readonly number[], slugs: readonly string[], ids: readonly string[]]
>(`
  DELETE FROM vitrine.trees
  WHERE user_number = ANY ($1::bigint[]) OR slug = ANY ($2::text[]) OR id = ANY ($3::text[])`);
const treesAmong = statement<Owned<LinkTreeSlice>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", slug, id, etag, start, public_start AS "publicStart", size, length,
    checksum::float8
  FROM vitrine.trees WHERE user_number = ANY ($1::bigint[]) AND etag IS NOT NULL`);

const insertTargets = packedStatement(insertInto("link_targets", TARGETS));
const deleteTargets = statement<unknown, [owners: readonly number[]]>(
  "DELETE FROM vitrine.link_targets WHERE user_number = ANY ($1::bigint[])",
);
const targetsAmong = statement<Owned<TargetChunk>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", first_id AS "firstId", targets
  FROM vitrine.link_targets WHERE user_number = ANY ($1::bigint[]) ORDER BY user_number, tree_id, first_id`);

const deleteRenditions = statement<unknown, [owners: readonly number[]]>(
  "DELETE FROM vitrine.renditions WHERE user_number = ANY ($1::bigint[])",
);
const renditionsAmong = statement<Owned<Rendition>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", kind, tree_id AS "treeId", etag, picture_origin AS "pictureOrigin",
    opening, scene, body
  FROM vitrine.renditions WHERE user_number = ANY ($1::bigint[]) AND version = ${RENDITION_VERSION}
  ORDER BY user_number, kind, tree_id`);

const packRecords = packedStatement(packingOfRecords());

function packingOfRecords(): string {
  const { values, source } = unpacking({ number: "bigint", packed_record: "long bytes", updated_at: "text" });
  return `
    UPDATE vitrine.users
    SET record = '', packed_record = given.packed_record, updated_at = given.updated_at
    FROM (SELECT ${values} FROM ${source}) AS given (number, packed_record, updated_at)
    WHERE users.number = given.number AND users.packed_record IS NULL`;
}

interface OfUser {
  readonly number: number;
  readonly documents: Documents;
}

/** For users who have none yet, or whose documents are cleared away. */
export async function insertDocuments(all: readonly OfUser[], sql: SQL): Promise<void> {
  const answers = new PackedRows();
  const publicAnswers = new PackedRows();
  const trees = new PackedRows();
  const chunks = new PackedRows();
  for (const { number: user_number, documents } of all) {
    const { full, links, slices, public: shown } = documents;
    answers.add(
      {
        user_number,
        full_etag: full.etag,
        links_etag: links.etag,
        ...Object.fromEntries(sliceColumns(slices)),
      },
      { links: links.body, body: full.body },
    );
    publicAnswers.add(
      {
        user_number,
        has_profile_page: shown.hasProfilePage,
        full_etag: shown.full.etag,
        links_etag: shown.links.etag,
        shared_start: shown.shared.start,
        shared_size: shown.shared.size,
        ...Object.fromEntries(sliceColumns(shown.slices)),
      },
      { links: ownLinks(shown, documents), body: shown.full.body },
    );
    for (const { publicStart, ...tree } of documents.linkTrees)
      trees.add({ ...tree, user_number, public_start: publicStart });
    for (const { treeId, firstId, targets } of documents.targetChunks)
      chunks.add({ user_number, tree_id: treeId, first_id: firstId, targets });
  }
  await putAnswers(sql, answers);
  await putPublicAnswers(sql, publicAnswers);
  await insertTrees(sql, trees);
  if (!chunks.isEmpty) await insertTargets(sql, chunks);
}

/** Trees, and what was made when it was first asked for. */
export async function clearDocuments(userNumbers: readonly number[], sql: SQL): Promise<void> {
  await deleteTrees(sql, userNumbers, [], []);
  await deleteTargets(sql, userNumbers);
  await deleteRenditions(sql, userNumbers);
}

/**
 * Compiles the documents of these users from their records, even where a row says that a tree is somebody else's.
 * Returns whose records are damaged.
 */
export async function compileAnew(
  users: readonly (RecordText & { readonly number: number })[],
  sql: SQL,
): Promise<DamagedUser[]> {
  const { compiled, damaged } = compileEach(users);
  const records = new PackedRows();
  for (const { user, record } of compiled)
    records.add(
      { number: user.number, updated_at: record.updatedAt },
      { packed_record: packRecord(user.record) },
    );
  if (!records.isEmpty) await packRecords(sql, records);

  const all = compiled.map(({ user, documents }) => ({ number: user.number, documents }));
  const numbers = all.map(({ number }) => number);
  const trees = all.flatMap(({ documents }) => documents.linkTrees);
  await clearDocuments(numbers, sql);
  await deleteTrees(
    sql,
    [],
    trees.map(({ slug }) => slug),
    trees.map(({ id }) => id),
  );
  await insertDocuments(all, sql);
  return damaged;
}

/** What is stored for these users. */
export async function documentsOfUsers(numbers: readonly number[], sql: SQL) {
  const ownerOf = ({ userNumber }: { readonly userNumber: number }) => userNumber;
  const answers = Map.groupBy(await answersAmong(sql, numbers), ownerOf);
  const publicAnswers = Map.groupBy(await publicAnswersAmong(sql, numbers), ownerOf);
  const trees = Map.groupBy(await treesAmong(sql, numbers), ownerOf);
  const chunks = Map.groupBy(await targetsAmong(sql, numbers), ownerOf);
  const renditions = Map.groupBy(await renditionsAmong(sql, numbers), ownerOf);
  return (number: number): StoredDocuments => {
    const full = answers.get(number)?.[0];
    return {
      full: documentsOf(full),
      public: publicDocumentsOf(publicAnswers.get(number)?.[0], full),
      linkTrees: (trees.get(number) ?? []).map(withoutOwner),
      targetChunks: (chunks.get(number) ?? []).map(withoutOwner),
      renditions: (renditions.get(number) ?? []).map(withoutOwner),
    };
  };
}

function withoutOwner<Item>({ userNumber, ...item }: Owned<Item>) {
  return item;
}
