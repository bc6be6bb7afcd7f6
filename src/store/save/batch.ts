import { compile } from "../../documents/compile.ts";
import { changedParts } from "../../records/changes.ts";
import { formerSlugs } from "../../records/former-slugs.ts";
import type { UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import { packRecord } from "../packed-record.ts";
import { shownPicture } from "../pictures.ts";
import {
  type CompiledBatch,
  type CompiledSave,
  type PackedUser,
  type PlannedBatch,
  type PlannedSave,
  RecordsRefused,
} from "../store.ts";
import { type Lookup, planSave, type StoredUser, settle } from "./plan.ts";

/** Plans a batch against what is stored. Throws `RecordsRefused`. */
export function planBatch(
  inputs: readonly RecordInput[],
  lookup: Lookup,
  etagOf: (user: StoredUser) => string,
  now: number,
): PlannedBatch {
  const plan = planSave(inputs, lookup);
  if ("refused" in plan) throw new RecordsRefused(plan.refused);
  return {
    saves: plan.accepted.map((accepted) => {
      const { change, record } = settle(accepted, now);
      const user = accepted.earlier?.user;
      return {
        change,
        changed: change === "unchanged" ? [] : changedParts(record, accepted.earlier?.record),
        formerSlugs: change === "unchanged" ? [] : formerSlugs(record, accepted.earlier?.record),
        email: record.email,
        id: record.id,
        profileSlug: record.profile.slug,
        earlier: user && { number: user.number, etag: etagOf(user) },
        record: change === "unchanged" ? undefined : record,
        picture: shownPicture(record),
        replaced: change === "unchanged" ? undefined : accepted.earlier?.text,
      };
    }),
  };
}

/** Whether a save changes what preview pictures can show. They are drawn anew when somebody asks for them. */
export function changesPreviews({ changed }: Pick<CompiledSave, "changed">): boolean {
  return changed.includes("profile") || changed.includes("linkTrees");
}

/** Plans a batch for a database that is not there yet. Throws `RecordsRefused`. */
export async function planForNobody(inputs: readonly RecordInput[]): Promise<PlannedBatch> {
  return planBatch(inputs, NOBODY, () => "", Date.now());
}

/** Compiles what a plan has to write. */
export function compileBatch({ saves }: PlannedBatch): CompiledBatch {
  return { saves: saves.map(compiledSave) };
}

function compiledSave({ record, replaced, ...save }: PlannedSave): CompiledSave {
  return {
    ...save,
    compiled: record && compiledRecord(record),
    replaced: replaced === undefined ? undefined : packRecord(replaced),
  };
}

function compiledRecord(record: UserRecord): PackedUser {
  const { record: text, documents } = compile(record);
  return { record: packRecord(text), updatedAt: record.updatedAt, documents };
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
