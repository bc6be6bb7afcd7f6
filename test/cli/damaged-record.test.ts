import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { UserRecord } from "../../src/records/record.ts";
import { done, emails, expectRefusal, KEY, load, ndjson, withKey } from "../support/command-line.ts";
import { recordsAt } from "../support/databases.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { CUT_OFF_RECORD, recordStatement, tamperWith, tamperWithRecord } from "../support/tampering.ts";
import { until } from "../support/until.ts";
import { makeVersionOne } from "../support/version-one.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);
const others = [2, 3].map((number) => writtenRecord(number).email);

interface Damage {
  readonly what: string;
  readonly harm: (program: Program) => Promise<void>;
  /** What the record then is. */
  readonly fault: string;
}

/** Ways in which a record comes to harm. */
const DAMAGES: readonly Damage[] = [
  {
    what: "cut off",
    harm: (program) => tamperWith(program, CUT_OFF_RECORD),
    fault: "no JSON",
  },
  {
    what: "cut off before it was compressed",
    harm: (program) => tamperWithRecord(program, 1, (text) => text.slice(0, 700)),
    fault: "no JSON",
  },
  { what: "emptied", harm: (program) => tamperWith(program, recordStatement(1, "")), fault: "no JSON" },
  {
    what: "made into something else",
    harm: (program) => tamperWith(program, recordStatement(1, "null")),
    fault: "no record",
  },
  {
    what: "robbed of its links",
    harm: (program) => tamperWithRecord(program, 1, (text) => text.replaceAll('"links":[', '"lonks":[')),
    fault: "no record",
  },
];

const REMEDY = "vitrine import FILE, with the record from an earlier export or a backup";

/** The same in a database of an earlier version, where records are texts. */
const CUT_OFF_TEXT = "UPDATE users SET record = substr(record, 1, 700) WHERE number = 1";

async function programWithDamage(harm = DAMAGES[0]?.harm): Promise<Program> {
  const program = new Program();
  await load(program, ...[1, 2, 3].map(writtenRecord));
  await harm?.(program);
  return program;
}

describe.concurrent("one damaged record", () => {
  test.each(DAMAGES)("that was $what is found and named by doctor", async ({ harm, fault }) => {
    using program = await programWithDamage(harm);
    const { stdout, stderr, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `✗ Records: 1 record is damaged: that of ${email} is ${fault}, and its documents are intact\n  → ${REMEDY}\n`,
    );
    expect(stdout).toContain("✓ Documents: those of 2 users equal what their records compile to\n");
    expect(stdout).not.toContain("rebuild");
    expect(stderr).toBe(`Error: 1 check failed\nTry: ${REMEDY}\n`);
    expect(exitCode).toBe(1);
  });

  test("with damaged documents is told from one with intact ones", async () => {
    using program = await programWithDamage();
    await tamperWith(program, "UPDATE answers SET body = links WHERE user_number = 1");
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `that of ${email} is no JSON, and its documents are damaged, too\n  → ${REMEDY}\n`,
    );
  });

  test("does not hide a wrong document of somebody else, which rebuild mends", async () => {
    using program = await programWithDamage();
    await tamperWith(program, `UPDATE answers SET links_etag = '"other"' WHERE user_number = 2`);
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toContain(`that of ${email} is no JSON`);
    expect(stdout).toContain(
      `✗ Documents: 1 document of 2 users is wrong: links of ${others[0]} is different\n  → vitrine rebuild\n`,
    );
  });

  test.each(DAMAGES)("that was $what keeps export from none of the others", async ({ harm, fault }) => {
    using program = await programWithDamage(harm);
    const { stdout, stderr, exitCode } = await program.run(["export", "--all"]);
    const records = stdout.split("\n").filter(Boolean);
    expect(records.map((line) => (JSON.parse(line) as UserRecord).email)).toEqual(others);
    expect(stderr).toBe(
      `the record of ${email} is damaged: it is ${fault}; it is left out\nError: 1 record is damaged\nTry: ${REMEDY}\n`,
    );
    expect(exitCode).toBe(1);
  });

  test.each(["export", "user show", "stats"])("is what %s of its user says", async (command) => {
    using program = await programWithDamage();
    expectRefusal(await program.run([...command.split(" "), email]), {
      error: `the record of ${email} is damaged: it is no JSON`,
      remedy: REMEDY,
    });
    expect((await program.run([...command.split(" "), others[0] ?? ""])).exitCode).toBe(0);
  });

  test.each(DAMAGES)("that was $what is no obstacle to user list", async ({ harm }) => {
    using program = await programWithDamage(harm);
    const lines = (await done(program, ["user", "list"])).split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["E-MAIL", email, ...others]);
    expect(lines[1]).toMatch(/^person1@example\.com +person-1 +2 +0 +(?:\d{4}-\d\d-\d\d|-)$/);
    expect((await done(program, ["user", "list", "--json"])).split("\n")).toHaveLength(3);
  });

  test("is no obstacle to keys", async () => {
    using program = await programWithDamage();
    expect(await done(program, ["key", "create", email])).toMatch(KEY);
    expect(await done(program, ["key", "create", "-"], `${email}\n`)).toStartWith(`${email},vit_`);
    expect((await done(program, ["key", "list", email])).split("\n")).toHaveLength(3);
  });

  test.each(DAMAGES)("that was $what can be deleted with its user", async ({ harm }) => {
    using program = await programWithDamage(harm);
    expect(await done(program, ["user", "delete", email, "--yes"])).toBe(
      `Deleted ${email} with 2 link trees and all keys.`,
    );
    expect(await emails(program)).toEqual(others);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test.each(DAMAGES)("that was $what is mended by importing it again", async ({ harm }) => {
    using program = new Program();
    await load(program, ...[1, 2, 3].map(writtenRecord));
    const before = await recordsAt(program.database);
    await harm(program);
    const said = await done(program, ["import", "-"], ndjson(before));
    expect(said.split("\n")).toEqual([
      `updated    ${email}`,
      ...others.map((other) => `unchanged  ${other}`),
      "3 records: 0 created, 1 updated, 2 unchanged",
    ]);
    const after = await recordsAt(program.database);
    expect<unknown>(after).toEqual([{ ...before[0], updatedAt: after[0]?.updatedAt }, ...before.slice(1)]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("that is mended from a file without ids keeps its user, its link trees and its links", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const [before] = await recordsAt(program.database);
    await DAMAGES[0]?.harm(program);
    expect(await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)))).toBe(
      `updated    ${email}`,
    );
    const [after] = await recordsAt(program.database);
    expect(after?.id).toBe(before?.id as string);
    expect(after?.linkTrees).toEqual(before?.linkTrees as never);
  });

  test("can be mended with what /user/full still answers, once its projects name no job", async () => {
    using program = await programWithDamage();
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve();
    const answered = await (await fetch(`${server.url}/user/full`, withKey(key))).text();
    const file = answered.replace(/"jobId":"[^"]+"/, '"jobId":null');
    expect(await done(program, ["import", "-"], file)).toBe(`updated    ${email}`);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
  });

  test("keeps rebuild from none of the others, and its documents are served as they were", async () => {
    using program = await programWithDamage();
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve();
    const read = async () => (await fetch(`${server.url}/user/full`, withKey(key))).text();
    const before = await read();
    await tamperWith(program, "UPDATE answers SET body = links WHERE user_number = 3");
    expect(await program.run(["rebuild"])).toEqual({
      stdout: "Rebuilt the documents of 2 users from their records.\n",
      stderr: `the record of ${email} is damaged: it is no JSON; its documents stay as they are\nError: 1 record is damaged\nTry: ${REMEDY}\n`,
      exitCode: 1,
    });
    expect(await read()).toBe(before);
    expect((await program.run(["doctor"])).stdout).toContain("✓ Documents: those of 2 users equal");
  });

  test("is named by copy, which stops there", async () => {
    using program = await programWithDamage();
    const url = program.database.engine === "sqlite" ? "sqlite:vitrine.db" : program.database.url;
    expectRefusal(await program.run(["copy", "--from", url, "--to", "sqlite:copy.db"]), {
      error: `the record of ${email} is damaged: it is no JSON`,
      remedy: REMEDY,
    });
  });
});

describe.concurrent("a record that was changed behind its documents", () => {
  test("is told from documents that are wrong, and may be right", async () => {
    using program = await programWithDamage((it) =>
      tamperWithRecord(it, 1, (text) => text.replace("Makes things.", "Breaks things.")),
    );
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `✗ Records: 1 record has changed behind its documents, which are intact by their tags: full of ${email} is different`,
    );
    expect(stdout).toContain(
      `  → vitrine rebuild, if the record is right (vitrine export ${email} shows it); if not, ${REMEDY}\n`,
    );
    expect(stdout).toContain("✓ Documents: those of 2 users equal");
    expect(exitCode).toBe(1);
    await done(program, ["rebuild"]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("a damaged record of an earlier version", () => {
  test("is named by migrate, which compiles the others and is done", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 3);
    await tamperWith(program, CUT_OFF_TEXT);
    const { stdout, stderr, exitCode } = await program.run(["migrate"]);
    expect(stdout).toEndWith("Compiled the documents of 2 users anew.\n");
    expect(stderr).toBe(
      `the record of ${email} is damaged: it is no JSON; its documents stay as they are\nError: 1 record is damaged\nTry: ${REMEDY}\n`,
    );
    expect(exitCode).toBe(1);
    expect(await done(program, ["migrate"])).toStartWith("The schema is up to date");
  });

  test("is named by migrate --json", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 3);
    await tamperWith(program, CUT_OFF_TEXT);
    const { stdout, exitCode } = await program.run(["migrate", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ compiled: 2, damaged: [email] });
    expect(exitCode).toBe(1);
  });

  test("does not keep serve from compiling the others, and the log tells it without an address", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 3);
    await tamperWith(program, CUT_OFF_TEXT);
    await using server = await program.serve();
    await until("all documents to be compiled", () => server.output().includes("all documents are compiled"));
    const damaged = server
      .output()
      .split("\n")
      .filter((line) => line.includes("a record is damaged"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(damaged).toMatchObject([
      { level: "error", fault: "no JSON", userId: expect.stringMatching(/^[\w-]{22}$/) as unknown },
    ]);
    expect(server.output()).not.toContain("@");
    expect((await fetch(`${server.url}/t/everything-2`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
