import { emailFault, slugFaults } from "../../contract/texts.ts";
import { yamlOf } from "../../exchange/export/yaml.ts";
import { type Brought, bring, FOREIGN, isForeignFormat } from "../../exchange/foreign/formats.ts";
import { saveOne } from "../../exchange/foreign/save.ts";
import { refuseAbsent } from "../../exchange/source.ts";
import { formatProblem, type Problem } from "../../records/problems.ts";
import type { RecordInput } from "../../records/schema.ts";
import { pagesUrl, type Settings } from "../../settings.ts";
import { RecordsRefused } from "../../store/store.ts";
import { Failure, Misuse } from "../failure.ts";
import { cleaned, plural, print, printError, printJson, printText } from "../output.ts";

/** What is said of a file of another program. */
export interface BringFlags {
  readonly from?: string;
  readonly email?: string;
  readonly slug?: string;
  readonly public?: true;
}

interface Options extends BringFlags, Pick<Settings, "database" | "port" | "host" | "publicUrl"> {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Prints a file of another program as a record. What could not be taken over is told on standard error. */
export async function convertFile(file: string, flags: BringFlags): Promise<void> {
  const brought = await broughtBy(file, flags);
  const comments = [`From ${cleaned(file)}. Look it over, then: vitrine import FILE`];
  if (brought.picture)
    comments.push(`Its picture has no place in this file: vitrine import --from ${flags.from} stores it.`);
  const heading = comments.map((comment) => `# ${comment}\n`).join("");
  printText(`${heading}${await yamlOf(brought.record)}`);
  tellLeftOut(brought);
  inputOf(file, brought);
}

/** Makes a record of a file of another program, and saves it. */
export async function importForeign(files: readonly string[], options: Options): Promise<void> {
  const [file = "", ...more] = files;
  if (more.length > 0) throw new Misuse("--from takes one file at a time", "vitrine import --help");
  const brought = await broughtBy(file, options, pagesUrl(options));
  const input = inputOf(file, brought);
  const { picture } = brought;
  const saved = await saveOne({ input, picture }, options.database, options.dryRun).catch(
    (error: unknown) => {
      if (!(error instanceof RecordsRefused)) throw error;
      throw refused(
        file,
        error.refused.map(({ problem }) => problem),
      );
    },
  );
  const { slug, isPublic } = input.profile;
  if (options.json) {
    const { dryRun } = options;
    const { leftOut } = brought;
    const shown = picture ? input.profile.avatarUrl.value : null;
    printJson({ dryRun, email: input.email, slug, isPublic, change: saved?.change, picture: shown, leftOut });
    return;
  }
  print(`${(saved?.change ?? "unchanged").padEnd(9)}  ${input.email}`);
  print(`The slug is ${slug}; for another one, use --slug.`);
  tellVisibility(input, options);
  if (picture && !options.dryRun) print(`The picture is at ${input.profile.avatarUrl.value}.`);
  tellLeftOut(brought);
  if (options.dryRun) print("This was a dry run: nothing was written.");
}

async function broughtBy(
  file: string,
  { from = "", email, slug, ...flags }: BringFlags,
  publicUrl?: string,
): Promise<Brought> {
  if (!isForeignFormat(from))
    throw new Misuse(`--from must be one of ${Object.keys(FOREIGN).join(", ")}`, "vitrine convert --help");
  refuseFlag("--email", email, emailFault);
  refuseFlag("--slug", slug, (chosen) => slugFaults(chosen)[0]);
  if (file !== "-") refuseAbsent(file);
  return bring(file, from, { email, slug, isPublic: flags.public === true, publicUrl, now: Date.now() });
}

/** What somebody has typed is no problem of the file. */
function refuseFlag(
  flag: string,
  value: string | undefined,
  faultOf: (value: string) => string | undefined,
): void {
  const fault = value === undefined ? undefined : faultOf(value);
  if (fault !== undefined) throw new Misuse(`${flag} ${fault}`, "vitrine convert --help");
}

function inputOf(file: string, { checked }: Brought): RecordInput {
  if ("problems" in checked) throw refused(file, checked.problems);
  return checked.input;
}

function refused(file: string, problems: readonly Problem[]): Failure {
  for (const problem of problems) printError(`${file}: ${formatProblem(problem)}`);
  const isTaken = problems.every((problem) => problem.isTaken && problem.place.endsWith("slug"));
  return new Failure(
    `${plural(problems.length, "problem")} in the record that the file makes; nothing was written`,
    isTaken
      ? "choose another slug with --slug"
      : "vitrine convert FILE --from FORMAT > record.yaml, and mend it there",
  );
}

function tellVisibility({ linkTrees }: RecordInput, { from, ...flags }: Options): void {
  if (flags.public) print("Everything is marked public.");
  else if (from === "full") print("What is public is what the file says is public.");
  else print("Everything is private. To show it, edit the record (vitrine export) or use --public.");
  if (linkTrees.some((tree) => tree.hasPage === false))
    print("Link trees have no page yet: that takes hasPage: true, or --public.");
}

/** The most of an item that is shown. One may be a picture, and push all else out of sight. */
const MOST_SHOWN = 300;

function tellLeftOut({ leftOut }: Brought): void {
  if (leftOut.length === 0) return;
  printError(`Not taken over (${leftOut.length}):`);
  for (const item of leftOut)
    printError(item.length <= MOST_SHOWN ? `  ${item}` : `  ${item.slice(0, MOST_SHOWN).toWellFormed()}…`);
}
