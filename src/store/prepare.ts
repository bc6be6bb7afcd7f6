import { compile } from "../documents/compile.ts";
import type { RecordInput } from "../records/schema.ts";
import { type Lookup, planSave, type StoredUser, settle } from "./plan.ts";
import { type PreparedBatch, RecordsRefused } from "./store.ts";

/** Plans a batch against what is stored, and compiles what has to be written. Throws `RecordsRefused`. */
export function prepareBatch(
  inputs: readonly RecordInput[],
  lookup: Lookup,
  etagOf: (user: StoredUser) => string,
  now: number,
): PreparedBatch {
  const plan = planSave(inputs, lookup);
  if ("refused" in plan) throw new RecordsRefused(plan.refused);
  return {
    saves: plan.saves.map((save) => {
      const { change, record } = settle(save, now);
      const user = save.earlier?.user;
      return {
        change,
        email: record.email,
        id: record.id,
        profileSlug: record.profile.slug,
        earlier: user && { number: user.number, etag: etagOf(user) },
        compiled: change === "unchanged" ? undefined : compile(record),
      };
    }),
  };
}

/** Prepares a batch for a database in which there is nobody yet. */
export function prepareFirst(inputs: readonly RecordInput[], now: number): PreparedBatch {
  return prepareBatch(inputs, NOBODY, () => "", now);
}

const nobody = () => undefined;

const NOBODY: Lookup = {
  userById: nobody,
  userByEmail: nobody,
  recordOf: (user) => {
    throw new Error(`nothing is stored of ${user.id}`);
  },
  ownerOfProfileSlug: nobody,
  ownerOfTreeSlug: nobody,
  ownerOfTreeId: nobody,
};
