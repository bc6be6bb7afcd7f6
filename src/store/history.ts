import { unpackRecord } from "./packed-record.ts";

/** How a version of a record came to be, other than by being the first. */
export type Way = "studio" | "import" | "restore";

/** A version of a record that was replaced. */
export interface ReplacedVersion {
  readonly version: number;
  /** When it was replaced, and by which way. */
  readonly replacedAt: number;
  readonly way: Way;
  /** The record as its text, which is unpacked whenever it is asked for: all of them may not fit into memory. */
  readonly record: string;
}

/** A row as it is told of, with its record packed until that is asked for. */
export function versionOf<Row extends { readonly record: Uint8Array }>({ record, ...row }: Row) {
  return {
    ...row,
    get record() {
      return unpackRecord(record);
    },
  };
}

/** The earlier versions of records. A save puts them there by itself. */
export interface History {
  /** What is kept of a user's, the oldest first. */
  of(userId: string): Promise<ReplacedVersion[]>;
}

/** How many replaced versions are kept of each record. With the present one, twenty can say how they came to be. */
export const KEPT_VERSIONS = 20;
