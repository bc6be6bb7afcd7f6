import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openWritable } from "../../src/store/postgres/connection.ts";
import { done, expectRefusal, hasDatabase, load, withKey } from "../support/command-line.ts";
import { schemaVersionAt } from "../support/databases.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

/** As if a Vitrine of another version had been there. */
async function setSchemaVersion({ database }: Program, version: number): Promise<void> {
  if (database.engine === "sqlite") {
    using file = new Database(database.file);
    file.run(`PRAGMA user_version = ${version}`);
    return;
  }
  const sql = await openWritable(database);
  await sql.unsafe(`UPDATE vitrine.schema_version SET version = ${version}`);
  await sql.close();
}

/** Neither a copy nor documents made anew, and nothing of an older version to remove. */
const NOTHING_ELSE = { copy: null, compiled: 0, removedLeftovers: false };

describe("migrate", () => {
  test("makes the schema where there is none, and changes nothing the next time", async () => {
    using program = new Program();
    const { expected } = await schemaVersionAt(program.database);
    expect(await done(program, ["migrate"])).toBe(
      `Made the schema at ${program.databaseName} (version ${expected}).`,
    );
    expect(await schemaVersionAt(program.database)).toEqual({ found: expected, expected });
    expect(await done(program, ["migrate"])).toBe(`The schema is up to date (version ${expected}).`);
  });

  test("says what it did as JSON", async () => {
    using program = new Program();
    const { expected } = await schemaVersionAt(program.database);
    expect(JSON.parse(await done(program, ["migrate", "--json"]))).toEqual({
      from: 0,
      to: expected,
      ...NOTHING_ELSE,
    });
    expect(JSON.parse(await done(program, ["migrate", "--json"]))).toEqual({
      from: expected,
      to: expected,
      ...NOTHING_ELSE,
    });
  });

  test("refuses the database of a newer Vitrine", async () => {
    using program = new Program();
    await done(program, ["migrate"]);
    await setSchemaVersion(program, 99);
    expectRefusal(await program.run(["migrate"]), {
      error: /schema version 99, and this Vitrine needs version \d+$/,
      remedy: "use a newer Vitrine",
    });
  });

  test("run ten times at once migrates once", async () => {
    using program = new Program();
    const all = await Promise.all(Array.from({ length: 10 }, () => program.run(["migrate"])));
    expect(all.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(10).fill({ exitCode: 0, stderr: "" }),
    );
    await load(program, writtenRecord(1));
  });
});

describe("serve --no-migrate", () => {
  test("refuses a database without a schema, and makes none", async () => {
    using program = new Program();
    expectRefusal(await program.run(["serve", "--no-migrate"]), {
      error: `the database ${program.databaseName} has no schema of Vitrine's`,
      remedy: "vitrine migrate",
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test("refuses a schema that is newer", async () => {
    using program = new Program();
    await done(program, ["migrate"]);
    const { expected } = await schemaVersionAt(program.database);
    await setSchemaVersion(program, 99);
    expectRefusal(await program.run(["serve", "--no-migrate"]), {
      error: `the database ${program.databaseName} has schema version 99, and this Vitrine needs version ${expected}`,
      remedy: "use a newer Vitrine",
    });
  });

  test("refuses a schema that is older", async () => {
    using program = new Program();
    await done(program, ["migrate"]);
    await setSchemaVersion(program, (await schemaVersionAt(program.database)).expected - 1);
    expectRefusal(await program.run(["serve", "--no-migrate"]), {
      error:
        /^the database .* has (?:schema version \d+, and this Vitrine needs version \d+|no schema of Vitrine's)$/,
      remedy: "vitrine migrate",
    });
  });

  test("serves a schema that is the right one", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", writtenRecord(1).email]);
    await using server = await program.serve(["serve", "--no-migrate"]);
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
