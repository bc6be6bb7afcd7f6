import type { DocumentKind } from "../contract/routes.ts";

/** A document's tag and bytes, by kind, in the SQL of every engine. All of them count bytes from one. */
export function documentColumns(kind: DocumentKind): string {
  if (kind === "full") return "documents.full_etag AS etag, documents.body AS body";
  if (kind === "links") return "documents.links_etag AS etag, documents.links AS body";
  return `documents.${kind}_etag AS etag,
    substr(documents.body, documents.${kind}_start + 1, documents.${kind}_length) AS body`;
}
