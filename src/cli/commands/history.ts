import { formatProblem } from "../../records/problems.ts";
import { checkRecord } from "../../records/schema.ts";
import { OtherRevision, RecordsRefused, type Store } from "../../store/store.ts";
import { broughtBack, type RecordVersion, versionsOf } from "../../studio/versions.ts";
import { type DatabaseOption, withReadOnlyStore, withStore } from "../database.ts";
import { Busy, Failure, noSuchUser } from "../failure.ts";
import { oneLine, print, printError, printJson, printTable } from "../output.ts";
import { shellWord } from "../shell-quotes.ts";

export async function showHistory(
  email: string,
  options: DatabaseOption & { print?: string; json?: true },
): Promise<void> {
  await withReadOnlyStore(options.database, async (store) => {
    const versions = await historyOf(email, store);
    if (options.print !== undefined) printJson(recordOf(versions, options.print, email));
    else if (options.json) printJson(versions.map(({ read, ...version }) => version));
    else {
      printTable(
        ["VERSION", "SAVED", "BY", "WHAT DIFFERED"],
        versions.map(({ version, savedAt, way, differences, isCurrent }) => [
          `${version}${isCurrent ? " (now)" : ""}`,
          savedAt.slice(0, 16).replace("T", " "),
          way ?? "-",
          oneLine(differences.map(({ message }) => message).join("; ")) || "-",
        ]),
      );
    }
  });
}

export async function restoreVersion(email: string, version: string, options: DatabaseOption): Promise<void> {
  await withStore(options.database, async (store) => {
    const record = recordOf(await historyOf(email, store), version, email);
    const stored = await store.records.findRevised(record.id);
    if (!stored) throw noSuchUser(email);
    const checked = checkRecord(broughtBack(record, stored.record));
    if ("problems" in checked) {
      for (const problem of checked.problems) printError(formatProblem(problem));
      throw new Failure(`version ${version} is against a rule of today`, historyCommand(email));
    }
    const input = { ...checked.input, id: record.id };
    try {
      const { change } = await store.records.saveRevision(input, stored.revision, "restore");
      print(
        change === "unchanged"
          ? `The record of ${email} is as it was in version ${version} already.`
          : `Restored version ${version} of ${email}. What it replaced is in the history.`,
      );
    } catch (error) {
      if (error instanceof OtherRevision)
        throw new Busy("somebody else has saved the record meanwhile", historyCommand(email));
      if (!(error instanceof RecordsRefused)) throw error;
      for (const { problem } of error.refused) printError(formatProblem(problem));
      throw new Failure(`version ${version} cannot be restored`, historyCommand(email));
    }
  });
}

async function historyOf(email: string, store: Store): Promise<RecordVersion[]> {
  const user = await store.records.summary(email);
  const versions = user && (await versionsOf(user.id, store));
  if (!versions) throw noSuchUser(email);
  return versions;
}

function recordOf(versions: readonly RecordVersion[], version: string, email: string) {
  const record = versions.find((it) => String(it.version) === version)?.read();
  if (!record) throw new Failure(`there is no version ${version} of ${email}`, historyCommand(email));
  return record;
}

function historyCommand(email: string): string {
  return `vitrine history ${shellWord(email)}`;
}
