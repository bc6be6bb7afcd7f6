import type { DamagedUser } from "../store/stored-record.ts";
import { Failure } from "./failure.ts";
import { plural, printError } from "./output.ts";

/** What mends a damaged record. Nothing else does, since documents are made from it and not it from them. */
export const IMPORT_AGAIN = "vitrine import FILE, with the record from an earlier export or a backup";

export function saidOfDamage({ email, fault }: Omit<DamagedUser, "id">): string {
  return `the record of ${email} is damaged: it is ${fault}`;
}

/** Names those whose records are damaged and fails, where there are any. */
export function refuseDamaged(damaged: readonly DamagedUser[], consequence: string): void {
  if (damaged.length === 0) return;
  for (const user of damaged) printError(`${saidOfDamage(user)}; ${consequence}`);
  throw new Failure(
    `${plural(damaged.length, "record")} ${damaged.length === 1 ? "is" : "are"} damaged`,
    IMPORT_AGAIN,
  );
}
