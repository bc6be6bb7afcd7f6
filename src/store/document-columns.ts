import type { View } from "../contract/access.ts";
import { TRAILER_BYTES } from "../packing/gzip.ts";
import type { StoredKind } from "./stored-reader.ts";

/** What engines write in their own ways. */
export interface Dialect {
  /** Joined bytes as bytes again. */
  readonly bytes: (joined: string) => string;
  /** A number of 32 bits without a sign as a number of JavaScript's. */
  readonly number: (column: string) => string;
}

/**
 * The documents of the full view, and for the public view those of both: what they have in common is stored once. In the
 * SQL of every engine, by the number of a user.
 */
export function documentTables(view: View, schema: string, user: string): string {
  const full = `LEFT JOIN ${schema}answers AS answers ON answers.user_number = ${user}`;
  if (view === "full") return full;
  return `${full} LEFT JOIN ${schema}public_answers AS shown ON shown.user_number = ${user}`;
}

/** The bytes of the full document of a view. */
export function bodyOf(view: View, { bytes }: Dialect): string {
  if (view === "full") return "answers.body";
  return bytes(`substr(shown.body, 1, length(shown.body) - ${TRAILER_BYTES})
    || substr(answers.body, shown.shared_start + 1, shown.shared_size)
    || substr(shown.body, length(shown.body) - ${TRAILER_BYTES - 1})`);
}

/** A document's tag and bytes, by kind. All engines count bytes from one. */
export function documentColumns(kind: StoredKind, view: View, dialect: Dialect): string {
  const table = view === "full" ? "answers" : "shown";
  if (kind === "full")
    return `${table}.full_etag AS etag, ${bodyOf(view, dialect)} AS body, NULL AS length, NULL AS checksum`;
  if (kind === "links") {
    // Both views have the same addresses where the profile is public.
    const links = view === "full" ? "answers.links" : "coalesce(shown.links, answers.links)";
    return `${table}.links_etag AS etag, ${links} AS body, NULL AS length, NULL AS checksum`;
  }
  return `${table}.${kind}_etag AS etag,
    substr(${bodyOf(view, dialect)}, ${table}.${kind}_start + 1, ${table}.${kind}_size) AS body,
    ${table}.${kind}_length AS length, ${dialect.number(`${table}.${kind}_checksum`)} AS checksum`;
}

/** Where the stream of a link tree begins in the full document of a view. */
export const TREE_STARTS: Readonly<Record<View, string>> = { full: "start", public: "public_start" };

/** Whether a tree, or the profile of what is shown, may have a page. Until it is compiled, only the record tells. */
export const MAY_HAVE_PAGE = "(trees.public_start IS NOT NULL OR trees.etag IS NULL)";
export const MAY_HAVE_PROFILE_PAGE = "shown.has_profile_page IS NOT FALSE";
