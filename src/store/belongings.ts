/** How a column of a copied row is written: bytes as hexadecimal digits. */
type ColumnType = "text" | "number" | "bytes";

/**
 * What belongs to a user and can be made from nothing else, beside keys and counts: the tables with their columns. The
 * first column tells the rows of one user apart, and they are read in its order.
 */
const BELONGINGS = {
  history: { version: "number", replaced_at: "number", way: "text", record: "bytes" },
  pictures: { hash: "text", type: "text", created_at: "number", bytes: "bytes" },
  passkeys: {
    id: "text",
    name: "text",
    public_key: "bytes",
    counter: "number",
    transports: "text",
    created_at: "number",
    last_used_at: "number",
  },
  former_slugs: { path: "text", tree_id: "text", replaced_at: "number" },
  identities: { issuer: "text", subject: "text" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;

/** A row by its columns, and whose it is by the number of the user. */
export type Belonging = { readonly owner: number } & Readonly<Record<string, string | number | null>>;

/** Rows by their tables. */
export type Belongings = Readonly<Record<keyof typeof BELONGINGS, readonly Belonging[]>>;

/** A table with its columns, and with the one that tells the rows of a user apart. */
interface BelongingTable {
  readonly name: keyof Belongings;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly key: string;
}

export const BELONGING_TABLES: readonly BelongingTable[] = Object.entries(BELONGINGS).map(
  ([name, columns]) => ({
    name: name as keyof Belongings,
    columns: Object.entries(columns),
    key: Object.keys(columns)[0] ?? "",
  }),
);

/** The rows of some users, table by table, as those of each of them. */
export function byOwner(
  numbers: readonly number[],
  tables: ReadonlyMap<keyof Belongings, readonly Belonging[]>,
): Belongings[] {
  const grouped = BELONGING_TABLES.map(
    ({ name }) => [name, Map.groupBy(tables.get(name) ?? [], ({ owner }) => owner)] as const,
  );
  const ofOwner = (number: number) => grouped.map(([name, rows]) => [name, rows.get(number) ?? []]);
  return numbers.map((number) => Object.fromEntries(ofOwner(number)) as Belongings);
}
