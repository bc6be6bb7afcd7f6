import { SLICED_KINDS, type SlicedKind, type ViewDocuments } from "../documents/compile.ts";

/** The row of a user's documents in one view, by the names of its columns, which are those of every engine. */
export type DocumentsRow = Readonly<Record<string, string | number | Uint8Array>>;

export function documentsOf(row: DocumentsRow | null | undefined): ViewDocuments<Uint8Array> | undefined {
  if (!row) return undefined;
  const slice = (kind: SlicedKind) => ({
    etag: row[`${kind}_etag`] as string,
    start: row[`${kind}_start`] as number,
    length: row[`${kind}_length`] as number,
  });
  return {
    full: { etag: row.full_etag as string, body: row.body as Uint8Array },
    links: { etag: row.links_etag as string, body: row.links as Uint8Array },
    resume: { etag: row.resume_etag as string, body: row.resume as Uint8Array },
    slices: Object.fromEntries(SLICED_KINDS.map((kind) => [kind, slice(kind)])) as ViewDocuments["slices"],
  };
}
