import { differences, type StoredDocuments } from "../documents/compare.ts";
import { areIntact } from "../documents/intact.ts";
import { refusedSlugs } from "../records/slugs.ts";
import type { Discrepancy } from "./store.ts";
import { compileStored, DamagedRecord, makeOf, type RecordText } from "./stored-record.ts";

/** Holds a user's documents against the record, and the record against rules that are newer than it. */
export function examine(user: RecordText, stored: StoredDocuments): Discrepancy | undefined {
  const { email } = user;
  try {
    const { record, documents } = compileStored(user);
    const found = makeOf(user, () => differences(stored, documents, record));
    const refused = refusedSlugs(record);
    if (found.length + refused.length === 0) return undefined;
    const areDocumentsIntact = found.length === 0 || areIntact(stored);
    return { email, differences: found, areDocumentsIntact, refusedSlugs: refused };
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    const { fault: recordFault } = error.user;
    return { email, recordFault, differences: [], areDocumentsIntact: areIntact(stored), refusedSlugs: [] };
  }
}
