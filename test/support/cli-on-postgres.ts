import { fileURLToPath } from "node:url";
import { onPostgres } from "./on-postgres.ts";

/** What is not run again on PostgreSQL, and why. Every other file of commands is. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  backup: "writes a file of SQLite; what PostgreSQL has instead, postgres.test.ts says",
  build: "is about the executable, which takes longer to compile than all of this takes to run",
  completion: "needs no database",
  copy: "names its engines itself, in every direction",
  "copy-interrupted": "names its engines itself",
  "database-away": "is about a PostgreSQL of its own",
  descriptors: "is about a file that is not the database's",
  "database-file": "is about the file of SQLite",
  draining: "is about signals, in which the database has no part",
  "full-disk": "is about the file of SQLite, and about what is put aside",
  help: "needs no database",
  "import-new-database": "is about the file that an import makes out of sight",
  "import-frozen": "is about a PostgreSQL of its own",
  interrupted: "is about SQLite, which lets nothing else run while it works",
  man: "needs no database",
  openapi: "needs no database",
  pgbouncer: "runs other files again, as this does",
  postgres: "runs these",
  "postgres-accounts": "runs these",
  "postgres-imports": "runs these",
  "postgres-restore": "is about PostgreSQL alone",
  "postgres-servers": "runs these",
  proxies: "is about what happens before the database is asked",
  remedies: "names its databases itself",
  replica: "is about a PostgreSQL of its own",
  roles: "is about a PostgreSQL of its own",
  terminal: "is about bars, questions and colours, which are the same",
  "unread-log": "is about standard output",
  "unread-output": "is about standard output",
};

/** Each group is a test file of its own, so that they run beside each other. What is in none is the last. */
const GROUPS = {
  accounts: /^(?:export|key|migrate|qr|rebuild|stats|user)/,
  imports: /^import/,
  servers: /^(?:counting|demo|doctor|hook|older|redis|rolling|serve|several|studio|workers)/,
} as const;

const FOLDER = fileURLToPath(new URL("../cli", import.meta.url));

/** Every file of commands, by its name. */
export const CLI_FILES: readonly string[] = [...new Bun.Glob("*.test.ts").scanSync({ cwd: FOLDER })]
  .map((file) => file.replace(/\.test\.ts$/, ""))
  .toSorted();

/** Says the sentences of one group of files once more, with PostgreSQL under them. */
export function cliOnPostgres(group: keyof typeof GROUPS | "others"): void {
  const groupOf = (name: string) =>
    Object.entries(GROUPS).find(([, pattern]) => pattern.test(name))?.[0] ?? "others";
  const names = CLI_FILES.filter((name) => !Object.hasOwn(LEFT_OUT, name) && groupOf(name) === group);
  onPostgres(names.map((name) => `${FOLDER}/${name}.test.ts`));
}
