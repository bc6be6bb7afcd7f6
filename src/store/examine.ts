import { type Difference, differences, type StoredDocuments } from "../documents/compare.ts";
import { areIntact } from "../documents/intact.ts";
import type { UserRecord } from "../records/record.ts";
import { refusedSlugs } from "../records/slugs.ts";
import type { Discrepancy } from "./store.ts";
import { compileStored, DamagedRecord, makeOf, type RecordText } from "./stored-record.ts";

/** Holds a user's documents against the record, and the record against rules that are newer than it. */
export function examine(user: RecordText, stored: StoredDocuments): Discrepancy | undefined {
  const { email } = user;
  let compared: Compared;
  try {
    compared = compare(user, stored);
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    const { fault: recordFault } = error.user;
    return { email, recordFault, differences: [], areDocumentsIntact: areIntact(stored), refusedSlugs: [] };
  }
  const { found } = compared;
  const refused = refusedSlugs(compared.record);
  if (found.length + refused.length === 0) return undefined;
  return {
    email,
    differences: found,
    areDocumentsIntact: found.length === 0 || areIntact(stored),
    refusedSlugs: refused,
  };
}

interface Compared {
  readonly record: UserRecord;
  readonly found: readonly Difference[];
}

/** Throws `DamagedRecord`. */
function compare(user: RecordText, stored: StoredDocuments): Compared {
  const { record, documents } = compileStored(user);
  return { record, found: makeOf(user, () => differences(stored, documents, record)) };
}
