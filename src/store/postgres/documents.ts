import type { SQL } from "bun";
import { VIEWS, type View } from "../../contract/access.ts";
import type { StoredDocuments } from "../../documents/compare.ts";
import {
  type Documents,
  type LinkTreeSlice,
  SLICED_KINDS,
  type ViewDocuments,
} from "../../documents/compile.ts";
import type { Page, TargetChunk } from "../../documents/page.ts";
import type { ProfilePage } from "../../documents/profile-page.ts";
import { DOCUMENT_TABLES } from "../document-columns.ts";
import { type DocumentsRow, documentsOf } from "../documents-row.ts";
import type { TextOrBytes } from "../store.ts";
import { compileEach, type DamagedUser, type RecordText } from "../stored-record.ts";
import { insertInto, type PackedColumns, PackedRows } from "./packed-rows.ts";
import { packedStatement, statement } from "./statement.ts";

const DOCUMENTS: PackedColumns = {
  user_number: "bigint",
  full_etag: "text",
  links_etag: "text",
  links: "long bytes",
  resume_etag: "text",
  resume: "long bytes",
  ...Object.fromEntries(
    SLICED_KINDS.flatMap((kind) => [
      [`${kind}_etag`, "text"],
      [`${kind}_start`, "int"],
      [`${kind}_length`, "int"],
    ]),
  ),
  body: "long bytes",
};
const LINK_TREE: PackedColumns = {
  slug: "text",
  id: "text",
  user_number: "bigint",
  etag: "text",
  start: "int",
  length: "int",
  public_start: "int",
};
const PAGE: PackedColumns = {
  slug: "text",
  user_number: "bigint",
  tree_id: "text",
  etag: "text",
  picture_origin: "text",
  opening: "text",
  scene: "text",
  targets: "long text",
  html: "long bytes",
};

const PROFILE_PAGE: PackedColumns = {
  user_number: "bigint",
  etag: "text",
  picture_origin: "text",
  opening: "text",
  scene: "text",
  card: "long bytes",
  html: "long bytes",
};

type Owned<Item> = Item & { readonly userNumber: number };

/** For the documents of one view. */
function statementsOf(view: View) {
  const table = DOCUMENT_TABLES[view];
  return {
    put: packedStatement(`
      ${insertInto(table, DOCUMENTS)}
      ON CONFLICT (user_number) DO UPDATE SET
        ${Object.keys(DOCUMENTS).map((column) => `${column} = excluded.${column}`)}`),
    among: statement<Owned<DocumentsRow>, [numbers: readonly number[]]>(`
      SELECT user_number::float8 AS "userNumber", ${table}.* FROM vitrine.${table}
      WHERE user_number = ANY ($1::bigint[])`),
  };
}

const BY_VIEW = Object.fromEntries(VIEWS.map((view) => [view, statementsOf(view)])) as Record<
  View,
  ReturnType<typeof statementsOf>
>;

const insertLinkTrees = packedStatement(insertInto("link_trees", LINK_TREE));
const deleteLinkTrees = statement<
  unknown,
  [owners: readonly number[], slugs: readonly string[], ids: readonly string[]]
>(`
  DELETE FROM vitrine.link_trees
  WHERE user_number = ANY ($1::bigint[]) OR slug = ANY ($2::text[]) OR id = ANY ($3::text[])`);

const insertPages = packedStatement(insertInto("pages", PAGE));
const TARGETS: PackedColumns = {
  user_number: "bigint",
  tree_id: "text",
  first_id: "text",
  targets: "text",
};
const insertTargets = packedStatement(insertInto("link_targets", TARGETS));
const deleteTargets = statement<unknown, [owners: readonly number[]]>(
  "DELETE FROM vitrine.link_targets WHERE user_number = ANY ($1::bigint[])",
);
const targetsAmong = statement<Owned<TargetChunk>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", first_id AS "firstId", targets
  FROM vitrine.link_targets WHERE user_number = ANY ($1::bigint[]) ORDER BY user_number, tree_id, first_id`);
const insertProfilePages = packedStatement(insertInto("profile_pages", PROFILE_PAGE));
const deleteProfilePages = statement<unknown, [owners: readonly number[]]>(
  "DELETE FROM vitrine.profile_pages WHERE user_number = ANY ($1::bigint[])",
);
const profilePagesAmong = statement<Owned<ProfilePage<Uint8Array>>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", etag, picture_origin AS "pictureOrigin", opening, scene, card, html
  FROM vitrine.profile_pages WHERE user_number = ANY ($1::bigint[])`);
const deletePages = statement<unknown, [owners: readonly number[], slugs: readonly string[]]>(
  "DELETE FROM vitrine.pages WHERE user_number = ANY ($1::bigint[]) OR slug = ANY ($2::text[])",
);

const linkTreesAmong = statement<Owned<LinkTreeSlice>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", slug, id, etag, start, length, public_start AS "publicStart"
  FROM vitrine.link_trees
  WHERE user_number = ANY ($1::bigint[])`);
const pagesAmong = statement<Owned<Omit<Page<Uint8Array>, "targetChunks">>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", slug, tree_id AS "treeId", etag, picture_origin AS "pictureOrigin",
    targets, html, opening, scene
  FROM vitrine.pages WHERE user_number = ANY ($1::bigint[])`);

interface OfUser {
  readonly number: number;
  readonly documents: Documents<TextOrBytes>;
}

/** For users who have none yet, or whose trees and pages are cleared away. */
export async function insertDocuments(all: readonly OfUser[], sql: SQL): Promise<void> {
  const rows = { full: new PackedRows(), public: new PackedRows() };
  const trees = new PackedRows();
  const pages = new PackedRows();
  const chunks = new PackedRows();
  const profilePages = new PackedRows();
  for (const { number: user_number, documents } of all) {
    addView(user_number, documents, rows.full);
    addView(user_number, documents.public, rows.public);
    for (const { slug, id, etag, start, length, publicStart } of documents.linkTrees)
      trees.add({ slug, id, user_number, etag, start, length, public_start: publicStart });
    if (documents.profilePage) {
      const { etag, pictureOrigin, opening, scene, card, html } = documents.profilePage;
      profilePages.add({ user_number, etag, picture_origin: pictureOrigin, opening, scene }, { card, html });
    }
    for (const page of documents.pages) {
      const { slug, treeId, etag, pictureOrigin, opening, scene, targets, html } = page;
      pages.add(
        { slug, user_number, tree_id: treeId, etag, picture_origin: pictureOrigin, opening, scene },
        { targets, html },
      );
      for (const { firstId, targets } of page.targetChunks)
        chunks.add({ user_number, tree_id: treeId, first_id: firstId, targets });
    }
  }
  for (const view of VIEWS) await BY_VIEW[view].put(sql, rows[view]);
  await insertLinkTrees(sql, trees);
  await insertPages(sql, pages);
  if (!chunks.isEmpty) await insertTargets(sql, chunks);
  if (!profilePages.isEmpty) await insertProfilePages(sql, profilePages);
}

function addView(user_number: number, documents: ViewDocuments<TextOrBytes>, rows: PackedRows): void {
  const { full, links, resume, slices } = documents;
  const sliced = SLICED_KINDS.flatMap((kind) => [
    [`${kind}_etag`, slices[kind].etag],
    [`${kind}_start`, slices[kind].start],
    [`${kind}_length`, slices[kind].length],
  ]);
  rows.add(
    {
      user_number,
      full_etag: full.etag,
      links_etag: links.etag,
      resume_etag: resume.etag,
      ...Object.fromEntries(sliced),
    },
    { links: links.body, resume: resume.body, body: full.body },
  );
}

const deleteOldPreviews = statement<unknown, [owners: readonly number[]]>(`
  DELETE FROM vitrine.previews WHERE user_number = ANY ($1::bigint[])
    AND NOT EXISTS (
      SELECT FROM vitrine.pages
      WHERE user_number = previews.user_number AND tree_id = previews.tree_id AND scene = previews.scene)
    AND NOT EXISTS (
      SELECT FROM vitrine.profile_pages
      WHERE user_number = previews.user_number AND previews.tree_id = '' AND scene = previews.scene)`);

/** Those of pages that are gone, or that show something else by now. */
export async function clearOldPreviews(userNumbers: readonly number[], sql: SQL): Promise<void> {
  await deleteOldPreviews(sql, userNumbers);
}

export async function clearTreesAndPages(userNumbers: readonly number[], sql: SQL): Promise<void> {
  await deleteLinkTrees(sql, userNumbers, [], []);
  await deletePages(sql, userNumbers, []);
  await deleteTargets(sql, userNumbers);
  await deleteProfilePages(sql, userNumbers);
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
  const all = compiled.map(({ user, documents }) => ({ number: user.number, documents }));
  const numbers = all.map(({ number }) => number);
  const trees = all.flatMap(({ documents }) => documents.linkTrees);
  const slugs = trees.map(({ slug }) => slug);
  await deleteLinkTrees(
    sql,
    numbers,
    slugs,
    trees.map(({ id }) => id),
  );
  await deletePages(sql, numbers, slugs);
  await deleteTargets(sql, numbers);
  await deleteProfilePages(sql, numbers);
  await insertDocuments(all, sql);
  await clearOldPreviews(numbers, sql);
  return damaged;
}

/** What is stored for these users. */
export async function documentsOfUsers(numbers: readonly number[], sql: SQL) {
  const ownerOf = ({ userNumber }: { readonly userNumber: number }) => userNumber;
  const fullRows = Map.groupBy(await BY_VIEW.full.among(sql, numbers), ownerOf);
  const publicRows = Map.groupBy(await BY_VIEW.public.among(sql, numbers), ownerOf);
  const linkTrees = Map.groupBy(await linkTreesAmong(sql, numbers), ownerOf);
  const pages = Map.groupBy(await pagesAmong(sql, numbers), ownerOf);
  const chunks = Map.groupBy(await targetsAmong(sql, numbers), ownerOf);
  const profilePages = Map.groupBy(await profilePagesAmong(sql, numbers), ownerOf);
  return (number: number): StoredDocuments => ({
    full: documentsOf(fullRows.get(number)?.[0]),
    public: documentsOf(publicRows.get(number)?.[0]),
    linkTrees: linkTrees.get(number) ?? [],
    profilePage: profilePages.get(number)?.[0],
    pages: (pages.get(number) ?? []).map((page) => ({
      ...page,
      targetChunks: (chunks.get(number) ?? [])
        .filter(({ treeId }) => treeId === page.treeId)
        .map(({ userNumber, ...chunk }) => chunk),
    })),
  });
}
