import type { View } from "../contract/access.ts";
import type { DocumentKind } from "../contract/routes.ts";

/** The documents of each view lie in a table of their own. */
export const DOCUMENT_TABLES: Readonly<Record<View, string>> = {
  full: "documents",
  public: "public_documents",
};

/** A document's tag and bytes, by kind, in the SQL of every engine. All of them count bytes from one. */
export function documentColumns(kind: DocumentKind): string {
  if (kind === "full") return "documents.full_etag AS etag, documents.body AS body";
  if (kind === "links" || kind === "resume")
    return `documents.${kind}_etag AS etag, documents.${kind} AS body`;
  return `documents.${kind}_etag AS etag,
    substr(documents.body, documents.${kind}_start + 1, documents.${kind}_length) AS body`;
}

/** Where the document of a link tree begins in the full document of a view. */
export const TREE_STARTS: Readonly<Record<View, string>> = { full: "start", public: "public_start" };
