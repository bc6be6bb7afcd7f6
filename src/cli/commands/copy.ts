import { type CopyProgress, copyContents } from "../../exchange/copy/copy.ts";
import { ForeignContents, NoSource, SidesDiffer, WrongDocuments } from "../../exchange/copy/errors.ts";
import type { Foreign } from "../../exchange/copy/kinds.ts";
import type { Totals } from "../../store/contents.ts";
import { type DatabaseLocation, describeDatabase } from "../../store/location.ts";
import { OtherSchema } from "../../store/unavailable.ts";
import { explainSchema } from "../explain.ts";
import { Failure, Misuse } from "../failure.ts";
import { onInterruption } from "../interruption.ts";
import { number, plural, print, printJson } from "../output.ts";
import { ProgressBars } from "../progress.ts";

interface CopyOptions {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  readonly json?: true;
}

interface Places {
  readonly from: string;
  readonly to: string;
}

export async function copy({ from, to, json }: CopyOptions): Promise<void> {
  if (Bun.deepEquals(from, to))
    throw new Misuse("--from and --to name the same database", "name another one with --to");
  const places = { from: describeDatabase(from), to: describeDatabase(to) };
  const bars = new ProgressBars();
  const show = ({ step, what, done, total }: CopyProgress) => {
    const bar = bars.of(`${LABELS[step]} ${what}`);
    bar.update(done, total, () => (what === "documents" ? "" : number(done)));
  };
  using _ = onInterruption(() => "what was copied is kept. Run the same command again for the rest.");
  const { copied, verified } = await copyContents(from, to, show)
    .finally(() => bars.end())
    .catch((error: unknown) => {
      throw explainCopy(error, places);
    });

  if (json) return printJson({ ...places, copied, verified });
  const isRest = (Object.keys(copied) as (keyof Totals)[]).some((name) => copied[name] < verified[name]);
  print(
    `Copied ${said(copied)} from ${places.from} to ${places.to}${isRest ? "; the rest was there already" : ""}.`,
  );
  print(
    `Verified: ${said(verified)} are the same in both, and every document is what its record compiles to.`,
  );
}

function explainCopy(error: unknown, { from, to }: Places): unknown {
  if (error instanceof NoSource) return new Failure(`there is no database at ${from}`, "vitrine copy --help");
  if (error instanceof OtherSchema) return explainSchema(error, "vitrine migrate --database URL");
  if (error instanceof ForeignContents)
    return new Failure(
      `the database ${to} holds what does not come from the source: ${saidOf(error.foreign)}`,
      "name an empty database with --to; or, if a user or a hook was deleted from the source, delete it there, too",
    );
  if (error instanceof SidesDiffer)
    return new Failure(
      `${said(error.different)} are not the same in both: somebody has written since the copy began`,
      "stop what writes to them, and run the same copy again: it takes over what has changed",
    );
  if (error instanceof WrongDocuments)
    return new Failure(
      `${plural(error.count, "document")} of the target ${error.count === 1 ? "is" : "are"} not what the records compile to`,
      "vitrine rebuild --database URL",
    );
  return error;
}

function saidOf(foreign: Foreign): string {
  switch (foreign.what) {
    case "user":
      return foreign.fault === "unknown"
        ? `${foreign.email} is not in the source`
        : `the record of ${foreign.email} is newer there`;
    case "key":
      return foreign.fault === "unknown"
        ? `the key ${foreign.id} is not in the source`
        : `the key ${foreign.id} was used or ended there`;
    case "hook":
      return `the hook ${foreign.id} is not in the source`;
    case "count":
      return `views or clicks of ${foreign.day} were counted there that the source does not have`;
  }
}

function said({ users, keys, hooks, counts }: Totals): string {
  return `${plural(users, "user")}, ${plural(keys, "key")}, ${plural(hooks, "hook")} and ${plural(counts, "count")}`;
}

const LABELS = { checking: "Checking", clearing: "Clearing", copying: "Copying", verifying: "Verifying" };
