import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { done, emails, expectRefusal, fewerPeople, load, ndjson } from "../support/command-line.ts";
import { Gate } from "../support/gate.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const PEOPLE = 500;

/** What a user sees in the program's folder; the runtime may keep something of its own there. */
function filesOf(program: Program): string[] {
  return readdirSync(program.folder.path)
    .filter((name) => !name.startsWith("."))
    .toSorted();
}

/** Starts an import of many, and waits until it has checked them and stands before the gate. */
async function startImport(program: Program) {
  await program.put("people.ndjson", fewerPeople(PEOPLE));
  await program.put("temporary/.keep", "");
  const gate = new Gate(program.folder.file("gate.ndjson"));
  const child = program.spawn(["import", "people.ndjson", "gate.ndjson"], "ignore", {
    TMPDIR: program.folder.file("temporary"),
  });
  await gate.reached();
  return { child, gate };
}

describe("a large import where there is no database yet", () => {
  test("makes one that is whole and sound, with everybody in the order of the file", async () => {
    using program = new Program();
    await program.put("people.ndjson", fewerPeople(PEOPLE));
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "500 records: 500 created, 0 updated, 0 unchanged",
    );
    expect(filesOf(program)).toEqual(["people.ndjson", "vitrine.db"]);
    expect(await emails(program)).toEqual(
      Array.from({ length: PEOPLE }, (_, index) => writtenRecord(index + 1).email),
    );
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "500 records: 0 created, 0 updated, 500 unchanged",
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
    await program.put("people.ndjson", fewerPeople(PEOPLE) + ndjson([last]));
    const outcome = await program.run(["import", "people.ndjson"]);
    expect(outcome.stderr).toStartWith(`people.ndjson: line ${PEOPLE + 1}, column `);
    expect(outcome.stderr.split("\n")[0]).toEndWith(`: ${problem}`);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
    expect(filesOf(program)).toEqual(["people.ndjson"]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGKILL", 137],
  ] as const)("leaves nothing at all when it is ended by %s while it checks", async (signal, exitCode) => {
    using program = new Program();
    const { child } = await startImport(program);
    child.kill(signal);
    expect(await child.exited).toBe(exitCode);
    expect(filesOf(program)).toEqual(["gate.ndjson", "people.ndjson", "temporary"]);
    expect(readdirSync(program.folder.file("temporary"))).toEqual([".keep"]);
  });

  test("adds to a database that another command has made in the meantime", async () => {
    using program = new Program();
    const { child, gate } = await startImport(program);
    const [other] = fewerPeople(1, PEOPLE + 1).split("\n");
    await load(program, JSON.parse(other ?? ""));
    gate.open();
    expect(await new Response(child.stdout).text()).toBe(
      "500 records: 500 created, 0 updated, 0 unchanged\n",
    );
    expect(new Set(await emails(program)).size).toBe(PEOPLE + 1);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("makes none for a dry run", async () => {
    using program = new Program();
    await program.put("people.ndjson", fewerPeople(PEOPLE));
    expect(await done(program, ["import", "--dry-run", "people.ndjson"])).toBe(
      "500 records: 500 created, 0 updated, 0 unchanged (dry run: nothing was written)",
    );
    expect(filesOf(program)).toEqual(["people.ndjson"]);
  });
});

test("an import into a file without a schema, as one leaves it that is killed when it makes the database, fills it", async () => {
  using program = new Program();
  await program.put("vitrine.db", "");
  await done(program, ["import", await program.put("people.ndjson", ndjson([writtenRecord(1)]))]);
  expect(await emails(program)).toEqual([writtenRecord(1).email]);
  expect(await done(program, ["doctor"])).toEndWith("All is well.");
});

test("a blank behind the name of the file is no part of it, so that what was imported is found again", async () => {
  using program = new Program();
  const database = ["--database", "sqlite:vitrine.db "];
  await done(program, [
    "import",
    await program.put("ada.json", JSON.stringify(writtenRecord(1))),
    ...database,
  ]);
  expect(await done(program, ["doctor", ...database])).toEndWith("All is well.");
});

test("an import into a folder that is not there says so, before it reads anything", async () => {
  using program = new Program();
  await program.put("broken.json", "{");
  const folder = program.folder.file("no/such/folder");
  expectRefusal(await program.run(["import", "broken.json", "--database", `sqlite:${folder}/x.db`]), {
    error: `there is no folder ${folder}`,
    remedy: `mkdir -p ${folder}`,
  });
});
