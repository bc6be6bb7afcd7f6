import {
  type PublicDocuments,
  SLICED_KINDS,
  type Slice,
  type SlicedKind,
  type ViewDocuments,
} from "../documents/compile.ts";

/** The row of a user's documents in one view, by the names of its columns, which are those of every engine. */
export type DocumentsRow = Readonly<Record<string, string | number | boolean | Uint8Array | null>>;

const SLICE_FIELDS = [
  "etag",
  "start",
  "size",
  "length",
  "checksum",
] as const satisfies readonly (keyof Slice)[];

/** The columns of the slices, each with its value. */
export function sliceColumns(slices: ViewDocuments["slices"]): [column: string, value: string | number][] {
  return SLICED_KINDS.flatMap((kind) =>
    SLICE_FIELDS.map((field): [string, string | number] => [`${kind}_${field}`, slices[kind][field]]),
  );
}

/** Their names. */
export const SLICE_COLUMNS: readonly string[] = SLICED_KINDS.flatMap((kind) =>
  SLICE_FIELDS.map((field) => `${kind}_${field}`),
);

export function documentsOf(row: DocumentsRow | null | undefined): ViewDocuments | undefined {
  if (!row) return undefined;
  const slice = (kind: SlicedKind): Slice => ({
    etag: row[`${kind}_etag`] as string,
    start: Number(row[`${kind}_start`]),
    size: Number(row[`${kind}_size`]),
    length: Number(row[`${kind}_length`]),
    checksum: Number(row[`${kind}_checksum`]),
  });
  return {
    full: { etag: row.full_etag as string, body: row.body as Uint8Array },
    links: { etag: row.links_etag as string, body: row.links as Uint8Array },
    slices: Object.fromEntries(SLICED_KINDS.map((kind) => [kind, slice(kind)])) as ViewDocuments["slices"],
  };
}

/** Where the public view has no addresses of its own, they are those of the full one. */
export function publicDocumentsOf(
  row: DocumentsRow | null | undefined,
  full: DocumentsRow | null | undefined,
): PublicDocuments | undefined {
  const documents = documentsOf(row && { ...row, links: row.links ?? full?.links ?? null });
  if (!row || !documents) return undefined;
  return {
    ...documents,
    shared: { start: Number(row.shared_start), size: Number(row.shared_size) },
    hasProfilePage: Boolean(row.has_profile_page),
  };
}

/** The addresses of the public view as they are stored: nothing where they are those of the full one. */
export function ownLinks({ links }: ViewDocuments, { links: full }: ViewDocuments): Uint8Array | null {
  return links.etag === full.etag ? null : links.body;
}
