import { describe, test } from "bun:test";
import { delimiter } from "node:path";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { ENGINES, postgres } from "./engines.ts";
import { withoutTool } from "./missing-tool.ts";
import { postgresPrograms } from "./postgres-cluster.ts";

/** Those beside the server are of its own version, and what npm installs has none. */
const PATH = [postgresPrograms, process.env.PATH].join(delimiter);

const MISSING = ["psql", "pg_dump", "pg_restore"].filter((tool) => Bun.which(tool, { PATH }) === null);

/** What docs/operations.md tells an operator to type, as scripts that end where a command fails. */
interface PostgresScripts {
  readonly dump: string;
  /** In the place of what is there, while servers run. */
  readonly restore: string;
  /** After an upgrade, to have the version before it again. */
  readonly wayBack: string;
}

/** For sentences about PostgreSQL's own tools: skipped by name or, with VITRINE_NO_SKIPS, failing where these are not. */
export function describeWithPostgresTools(
  title: string,
  sentences: (scripts: PostgresScripts) => void,
): void {
  if (!ENGINES.includes(postgres)) return;
  if (MISSING.length > 0) {
    withoutTool(title, `no ${MISSING.join(", ")} on the PATH`, (fail) => test("every sentence", fail));
    return;
  }
  const page = readFile("docs/operations.md");
  const [backup = ""] = fencesOf(sectionOf(page, "Backup and restore"), "sh").filter(isAboutPostgres);
  const [wayBack = ""] = fencesOf(sectionOf(page, "The way back"), "sh").filter(isAboutPostgres);
  const [dump = "", restore = ""] = backup.split("\n");
  const script = (commands: string) => `set -e; PATH='${PATH}'\n${commands}`;
  describe(title, () =>
    sentences({ dump: script(dump), restore: script(restore), wayBack: script(wayBack) }),
  );
}

function isAboutPostgres(fence: string): boolean {
  return fence.includes("$DATABASE_URL");
}
