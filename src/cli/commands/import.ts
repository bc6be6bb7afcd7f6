import { type ImportProgress, importRecords } from "../../exchange/import.ts";
import { ImportRefused } from "../../exchange/problems.ts";
import { type ImportSummary, MAX_LISTED } from "../../exchange/tally.ts";
import type { DatabaseOption } from "../database.ts";
import { onInterruption } from "../interruption.ts";
import { number, plural, print, printError, printJson } from "../output.ts";
import { printProblem } from "../problem.ts";
import { ProgressBars } from "../progress.ts";

interface ImportOptions extends DatabaseOption {
  readonly dryRun: boolean;
  readonly json: boolean;
}

export async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  const bars = new ProgressBars();
  let bar = bars.of(LABELS.checking);
  let last: ImportProgress | undefined;
  using _ = onInterruption(() => saidOf(last));
  const imported = importRecords(files, {
    database: options.database,
    isDryRun: options.dryRun,
    onProblem: (problem) => {
      bar.end();
      printProblem(problem);
    },
    onProgress: (progress) => {
      const { phase, done, total, records } = progress;
      last = progress;
      bar = bars.of(LABELS[phase]);
      bar.update(done, total, () => plural(records, "record"));
    },
    onWaiting: (seconds) => bar.say(`waiting for the database (${seconds} s)`),
  });
  const summary = await imported
    .finally(() => bar.end())
    .catch((error: unknown) => {
      // A refusal has words of its own for it.
      if (last?.phase === "importing" && last.done > 0 && !(error instanceof ImportRefused))
        printError(`Interrupted: ${saidOf(last)}`);
      throw error;
    });
  printSummary(summary, options);
  for (const file of summary.empty) printError(`Warning: there is no record in ${file}`);
  if (summary.empty.length > 0) process.exitCode = 1;
}

const LABELS = { checking: "Checking", importing: "Importing" } as const;

/** Of an import that is ended in the middle: all is checked before the first record is written. */
function saidOf(progress: ImportProgress | undefined): string {
  if (progress?.phase !== "importing") return "nothing was written.";
  const { done, total } = progress;
  return `at least ${number(done)} of ${plural(total, "record")} are saved. Run the same command again for the rest.`;
}

/** One line for each record where they are few, and a summary. */
function printSummary({ records, counts, first }: ImportSummary, { dryRun, json }: ImportOptions): void {
  if (json) {
    printJson({ dryRun, records, ...counts });
    return;
  }
  if (records <= MAX_LISTED) for (const { change, email } of first) print(`${change.padEnd(9)}  ${email}`);
  if (records === 1 && !dryRun) return;
  const { created, updated, unchanged } = counts;
  const summary = `${plural(records, "record")}: ${number(created)} created, ${number(updated)} updated, ${number(unchanged)} unchanged`;
  print(dryRun ? `${summary} (dry run: nothing was written)` : summary);
}
