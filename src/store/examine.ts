import { differences, type StoredDocuments } from "../documents/compare.ts";
import { areIntact } from "../documents/intact.ts";
import { refusedSlugs } from "../records/slugs.ts";
import type { Discrepancy } from "./store.ts";
import { type CompiledRecord, compileStored, DamagedRecord, type RecordText } from "./stored-record.ts";

/** Holds a user's documents against the record, and the record against rules that are newer than it. */
export function examine(user: RecordText, stored: StoredDocuments): Discrepancy | undefined {
  const { email } = user;
  let compiled: CompiledRecord;
  try {
    compiled = compileStored(user);
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    const { fault: recordFault } = error.user;
    return { email, recordFault, differences: [], areDocumentsIntact: areIntact(stored), refusedSlugs: [] };
  }
  const found = differences(stored, compiled.documents);
  const refused = refusedSlugs(compiled.record);
  if (found.length + refused.length === 0) return undefined;
  return {
    email,
    differences: found,
    areDocumentsIntact: found.length === 0 || areIntact(stored),
    refusedSlugs: refused,
  };
}
