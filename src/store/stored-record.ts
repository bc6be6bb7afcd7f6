import { type Compiled, compile } from "../documents/compile.ts";
import type { UserRecord } from "../records/record.ts";
import { isStoredRecord, type RecordFault, readStored } from "../records/stored.ts";

/** A user, and the record as its text. */
export interface RecordText {
  readonly id: string;
  readonly email: string;
  readonly record: string;
}

/** A user whose stored record is damaged. Plain data, so that a thread can hand it over. */
export interface DamagedUser {
  readonly id: string;
  readonly email: string;
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

type CompiledDocuments = Compiled<string, string | Uint8Array>["documents"];

/** A record as it was read, and the documents that come of it. */
export interface CompiledRecord {
  readonly record: UserRecord;
  readonly documents: CompiledDocuments;
}

/** Throws `DamagedRecord`: also where a record is of the right shape, but no documents come of it. */
export function compileStored(user: RecordText): CompiledRecord {
  const record = recordOf(user);
  try {
    return { record, documents: compile(record).documents };
  } catch {
    const { id, email } = user;
    throw new DamagedRecord({ id, email, fault: "no record" });
  }
}

/** Compiles the records of users, but for those that are damaged. */
export function compileEach<User extends RecordText>(users: readonly User[]) {
  const compiled: { user: User; documents: CompiledDocuments }[] = [];
  const damaged: DamagedUser[] = [];
  for (const user of users) {
    try {
      compiled.push({ user, documents: compileStored(user).documents });
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
export function recovered(id: string, fullDocument: string | undefined): EarlierRecord {
  try {
    const document = JSON.parse(fullDocument ?? "null") as Omit<UserRecord, "id"> | null;
    const record = document && { id, ...document, jobs: [] };
    return { record: isStoredRecord(record) ? record : undefined, isDamaged: true };
  } catch {
    return { record: undefined, isDamaged: true };
  }
}
