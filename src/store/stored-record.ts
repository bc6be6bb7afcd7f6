import { compile, type Documents } from "../documents/compile.ts";
import { gunzip } from "../packing/gzip.ts";
import type { UserRecord } from "../records/record.ts";
import { isStoredRecord, type RecordFault, readStored } from "../records/stored.ts";
import { unpackRecord } from "./packed-record.ts";

/** A user, and the record as its text. */
export interface RecordText {
  readonly id: string;
  readonly email: string;
  readonly record: string;
}

/** How a record lies in a row: compressed, or as a text until its documents are compiled anew after an upgrade. */
export interface RecordRow extends RecordText {
  readonly packedRecord: Uint8Array | null;
}

/** What of a row is the record. */
export type VersionRow = Pick<RecordRow, "record" | "packedRecord">;

export function recordTextOf<Row extends VersionRow>({ packedRecord, ...user }: Row) {
  return { ...user, record: packedRecord === null ? user.record : unpackRecord(packedRecord) };
}

/** A user whose stored record is damaged. Plain data, so that a thread can hand it over. */
export interface DamagedUser extends Omit<RecordText, "record"> {
  readonly fault: RecordFault;
}

/** Thrown where a record is needed that is damaged. What it holds is not repeated: it is private. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";
  readonly user: DamagedUser;

  constructor(user: DamagedUser) {
    super(`the record of a user is damaged: it is ${user.fault}`);
    this.user = user;
  }
}

/** Throws `DamagedRecord`. */
export function recordOf({ id, email, record }: RecordText): UserRecord {
  const read = readStored(record);
  if ("fault" in read) throw new DamagedRecord({ id, email, fault: read.fault });
  return read.record;
}

/** Tells one version of a record from all others, by the text that is stored of it. */
export function revisionOf(record: string): string {
  return new Bun.CryptoHasher("sha256").update(record).digest("base64url").slice(0, 22);
}

/** A record as it was read, and the documents that come of it. */
interface CompiledRecord {
  readonly record: UserRecord;
  readonly documents: Documents;
}

/** Throws `DamagedRecord`. */
export function compileStored(user: RecordText): CompiledRecord {
  const record = recordOf(user);
  return { record, documents: makeOf(user, () => compile(record).documents) };
}

/** What comes of a record. Throws `DamagedRecord` where that is of the right shape, but nothing comes of it. */
export function makeOf<Made>({ id, email }: RecordText, make: () => Made): Made {
  try {
    return make();
  } catch {
    throw new DamagedRecord({ id, email, fault: "no record" });
  }
}

/** Compiles the records of users, but for those that are damaged. */
export function compileEach<User extends RecordText>(users: readonly User[]) {
  const compiled: (CompiledRecord & { user: User })[] = [];
  const damaged: DamagedUser[] = [];
  for (const user of users) {
    try {
      compiled.push({ user, ...compileStored(user) });
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      damaged.push(error.user);
    }
  }
  return { compiled, damaged };
}

/** What is stored of a user whom a save concerns. */
export interface EarlierRecord {
  /** Absent where nothing can be made out of it. */
  readonly record: UserRecord | undefined;
  /** The text of the record. Absent where that is damaged. */
  readonly text?: string;
  /** Whether the stored record is none, and what is here comes from elsewhere. */
  readonly isDamaged: boolean;
}

/**
 * What the full document still tells of a record that is damaged: among others the ids of link trees and links, to
 * which views and clicks belong. It tells none of jobs, so these count as new.
 */
export function recovered(id: string, fullDocument: Uint8Array | undefined): EarlierRecord {
  try {
    const text = fullDocument && Buffer.from(gunzip(fullDocument)).toString();
    const document = JSON.parse(text ?? "null") as Omit<UserRecord, "id"> | null;
    const record = document && { id, ...document, jobs: [] };
    return { record: isStoredRecord(record) ? record : undefined, isDamaged: true };
  } catch {
    return { record: undefined, isDamaged: true };
  }
}
