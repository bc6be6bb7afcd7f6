import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { done, emails, expectRefusal, load, manyPeople, ndjson } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

const PEOPLE = 6000;

/** What a user sees in the program's folder; the runtime may keep something of its own there. */
function filesOf(program: Program): string[] {
  return readdirSync(program.folder.path)
    .filter((name) => !name.startsWith("."))
    .toSorted();
}

/** Starts an import of many, and waits until its database is in the making. */
async function startImport(program: Program, environment?: Record<string, string>) {
  await program.put("people.ndjson", manyPeople(PEOPLE));
  const child = program.spawn(["import", "people.ndjson"], "ignore", environment);
  await until("a database in the making", () => {
    if (child.exitCode !== null) throw new Error(`the import ended by itself with ${child.exitCode}`);
    return filesOf(program).some((name) => name.endsWith(".unfinished"));
  });
  return child;
}

describe("a large import where there is no database yet", () => {
  test("makes one that is whole and sound, with everybody in the order of the file", async () => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(PEOPLE));
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "6,000 records: 6,000 created, 0 updated, 0 unchanged",
    );
    expect(filesOf(program)).toEqual(["people.ndjson", "vitrine.db"]);
    expect(await emails(program)).toEqual(
      Array.from({ length: PEOPLE }, (_, index) => writtenRecord(index + 1).email),
    );
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "6,000 records: 0 created, 0 updated, 6,000 unchanged",
    );
  });

  test.each([
    [
      "a record that is not good",
      { ...writtenRecord(99_999), email: "nobody" },
      "email: must be an e-mail address",
    ],
    [
      "a value that another record has",
      { ...writtenRecord(99_999), email: "PERSON7@example.com" },
      "email: is the same as in people.ndjson: line 7",
    ],
  ])("leaves nothing behind when it finds %s at the end", async (_, last, problem) => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(PEOPLE) + ndjson([last]));
    const outcome = await program.run(["import", "people.ndjson"]);
    expect(outcome.stderr).toStartWith(`people.ndjson: line ${PEOPLE + 1}: ${problem}\n`);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
    expect(filesOf(program)).toEqual(["people.ndjson"]);
  });

  test("leaves no database when it is killed, and what it left goes with the next one", async () => {
    using program = new Program();
    const child = await startImport(program);
    child.kill("SIGKILL");
    await child.exited;
    expect(filesOf(program)).not.toContain("vitrine.db");

    await done(program, ["import", "people.ndjson"]);
    expect(filesOf(program)).toEqual(["people.ndjson", "vitrine.db"]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leaves nothing at all when it is told to end by %s", async (signal, exitCode) => {
    using program = new Program();
    await program.put("temporary/.keep", "");
    const child = await startImport(program, { TMPDIR: program.folder.file("temporary") });
    child.kill(signal);
    expect(await child.exited).toBe(exitCode);
    expect(filesOf(program)).toEqual(["people.ndjson", "temporary"]);
    expect(readdirSync(program.folder.file("temporary"))).toEqual([".keep"]);
  });

  test("adds to a database that another command has made in the meantime", async () => {
    using program = new Program();
    const child = await startImport(program);
    const [other] = manyPeople(1, PEOPLE + 1).split("\n");
    await load(program, JSON.parse(other ?? ""));
    expect(await new Response(child.stdout).text()).toBe(
      "6,000 records: 6,000 created, 0 updated, 0 unchanged\n",
    );
    expect(filesOf(program).filter((name) => name.includes("unfinished"))).toEqual([]);
    expect(new Set(await emails(program)).size).toBe(PEOPLE + 1);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});
