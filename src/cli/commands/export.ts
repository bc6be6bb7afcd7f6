import { isView, VIEWS } from "../../contract/access.ts";
import { FORMATS, isExportFormat, written } from "../../exchange/export/formats.ts";
import { readStored } from "../../records/stored.ts";
import type { Contents, UserRow } from "../../store/contents.ts";
import { type DamagedUser, recordOf } from "../../store/stored-record.ts";
import { refuseDamaged } from "../damaged.ts";
import { type DatabaseOption, withSource } from "../database.ts";
import { Misuse, noSuchUser } from "../failure.ts";
import { isUnread, printError, printJsonTexts, printText } from "../output.ts";

export interface ExportFlags {
  readonly all?: true;
  readonly to: string;
  readonly view?: string;
}

export async function exportRecords(
  email: string | undefined,
  options: DatabaseOption & ExportFlags,
): Promise<void> {
  const { all, to: format, view } = options;
  if ((email === undefined) === !all) {
    throw new Misuse("name one user by e-mail address, or ask for all with --all", "vitrine export --all");
  }
  if (!isExportFormat(format))
    throw new Misuse(`--to must be one of ${Object.keys(FORMATS).join(", ")}`, "vitrine export --help");
  if (view !== undefined && !isView(view))
    throw new Misuse(`--view must be ${VIEWS.join(" or ")}`, "vitrine export --help");
  if (all && (format !== "record" || view === "public"))
    throw new Misuse("--all prints whole records, as they are", "vitrine export --all");

  await withSource(options.database, async (source) => {
    if (email === undefined) return source.asOfOneMoment(exportAll);
    const user = await source.findUser(email);
    if (!user) throw noSuchUser(email);
    const record = recordOf(user);
    const seen = view ?? FORMATS[format].view;
    const text = await written(record, format, seen);
    if (text.startsWith("{")) printJsonTexts([text.trimEnd()]);
    else printText(text);
    if (seen === "public" && !record.profile.isPublic)
      printError("The profile is private, so next to nothing of it is shown. --view full prints all of it.");
  });
}

/** One damaged record is no reason to keep back the others. */
async function exportAll(contents: Contents): Promise<void> {
  const damaged: DamagedUser[] = [];
  for (let last: UserRow | undefined; !isUnread(); ) {
    const users = await contents.usersAfter(last);
    if (users.length === 0) break;
    const whole = users.filter(({ id, email, record }) => {
      const read = readStored(record);
      if ("fault" in read) damaged.push({ id, email, fault: read.fault });
      return "record" in read;
    });
    printJsonTexts(whole.map(({ record }) => record));
    last = users.at(-1);
  }
  refuseDamaged(damaged, "it is left out");
}
