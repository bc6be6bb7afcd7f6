import { expect } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { databaseExists, openStore } from "./databases.ts";
import type { Outcome, Program } from "./program.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

/** For a script: opens descriptor 4, a pipe whose reader has gone before anything is written to it. */
export const UNREAD = "mkfifo unread; exec 3<>unread 4>unread 3>&-";

export const KEY = /^vit_[0-9A-Za-z]{49}$/;

/** One record a line, as `export --all` prints them. */
export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const LONG_TEXT = "Makes things. ".repeat(250);
const LONG_SUMMARY = { isPublic: true, value: LONG_TEXT };

/** Many people, for files that matter by their length. Much is said of each in one place, so that few make a long file. */
export function manyPeople(count: number, first = 1): string {
  return ndjson(
    Array.from({ length: count }, (_, index) => {
      const { profile, ...person } = writtenRecord(first + index);
      return {
        ...person,
        profile: { ...profile, summary: LONG_SUMMARY },
        jobs: [],
        projects: [],
        education: [],
      };
    }),
  );
}

/** The same for files that need to be as long and not as many: these are longer by three times, and cheaper by half. */
export function fewerPeople(count: number, first = 1): string {
  const people = manyPeople(count, first).trimEnd().split("\n");
  return ndjson(people.map((text) => ({ ...(JSON.parse(text) as object), education: LONG_EDUCATION })));
}

const LONG_EDUCATION = Array.from({ length: 3 }, (_, index) => ({
  institution: `School ${index}`,
  studyLevel: "OTHER",
  isCurrent: true,
  description: LONG_TEXT,
}));

/** What a failing command has to say: the reason and the remedy on standard error, nothing on standard output. */
export function expectRefusal(
  { stdout, stderr, exitCode }: Outcome,
  expected: { error: string | RegExp; remedy?: string | RegExp; exitCode?: 1 | 2 },
): void {
  expect(stdout).toBe("");
  expect(/^Error: (.+)$/m.exec(stderr)?.[1] ?? stderr).toMatch(whole(expected.error));
  if (expected.remedy !== undefined) {
    expect(/^Try: (.+)$/m.exec(stderr)?.[1] ?? stderr).toMatch(whole(expected.remedy));
  }
  expect(exitCode).toBe(expected.exitCode ?? 1);
}

function whole(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(`^${RegExp.escape(text)}$`) : text;
}

/** Runs a command that the test takes for granted, and returns its standard output without the last newline. */
export async function done(program: Program, args: readonly string[], stdin?: string): Promise<string> {
  const { stdout, stderr, exitCode } = await program.run(args, stdin);
  if (exitCode !== 0) throw new Error(`vitrine ${args.join(" ")} failed with ${exitCode}: ${stderr}`);
  return stdout.replace(/\n$/, "");
}

/** Records that a test takes for granted, put into the program's database without starting it. */
export async function load(program: Program, ...records: readonly unknown[]): Promise<void> {
  await program.makeSchema();
  await withDatabase(program, (store) => store.records.save(records.map(checkedRecord)));
}

/** The e-mail addresses of all users, read from the database itself. */
export async function emails(program: Program): Promise<string[]> {
  return withDatabase(program, async (store) => {
    const found: string[] = [];
    for await (const user of store.records.summaries()) found.push(user.email);
    return found;
  });
}

/** How many users there are, as another program sees it while an import is under way. */
export async function watchUsers(program: Program): Promise<{ count(): Promise<number> } & AsyncDisposable> {
  const store = await openStore(program.database);
  return { count: () => store.records.count(), [Symbol.asyncDispose]: () => store.close() };
}

export async function hasDatabase(program: Program): Promise<boolean> {
  return databaseExists(program.database);
}

export async function withDatabase<Result>(
  program: Program,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(program.database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

interface ListedKey {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly view: string;
  readonly paths: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export async function listKeys(program: Program, email: string): Promise<ListedKey[]> {
  return JSON.parse(await done(program, ["key", "list", email, "--json"])) as ListedKey[];
}

/** The last key in the list of a user; the first person's unless said otherwise. */
export async function newestKey(program: Program, email = writtenRecord(1).email): Promise<ListedKey> {
  const key = (await listKeys(program, email)).at(-1);
  if (!key) throw new Error(`${email} has no key`);
  return key;
}

export function withKey(key: string): { headers: { Authorization: string } } {
  return { headers: { Authorization: `Bearer ${key}` } };
}
