import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, readdirSync, statSync } from "node:fs";
import type { Command } from "commander";
import { makeProgram } from "../../src/cli/program.ts";
import { engineAt } from "../../src/store/engines.ts";
import { upgradeSchema } from "../../src/store/upgrade.ts";
import { done, expectRefusal, withKey } from "../support/command-line.ts";
import { schemaVersionAt } from "../support/databases.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { withSmallDisk } from "../support/small-disk.ts";
import { tamperWith } from "../support/tampering.ts";
import { until } from "../support/until.ts";
import {
  compiledThrough,
  everythingAt,
  makeVersionOne,
  OLD_BODY,
  readWithVersionOne,
} from "../support/version-one.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** The user and the group of those who own nothing. */
const NOBODY = 65534;

/** Every command that has to do with a database, as it is typed, and what it says to an older one. */
const COMMANDS: Readonly<Record<string, { args: readonly string[]; is: "refused" | "done" }>> = {
  "serve --no-migrate": { args: ["serve", "--no-migrate"], is: "refused" },
  import: { args: ["import", "-"], is: "refused" },
  export: { args: ["export", "--all"], is: "done" },
  "key create": { args: ["key", "create", email], is: "refused" },
  "key list": { args: ["key", "list", email], is: "refused" },
  "key revoke": { args: ["key", "revoke", "some-id"], is: "refused" },
  "key rotate": { args: ["key", "rotate", "some-id"], is: "refused" },
  "user list": { args: ["user", "list"], is: "refused" },
  "user show": { args: ["user", "show", email], is: "refused" },
  "user delete": { args: ["user", "delete", email, "--yes"], is: "refused" },
  stats: { args: ["stats", email], is: "refused" },
  qr: { args: ["qr", "everything-1"], is: "refused" },
  rebuild: { args: ["rebuild"], is: "refused" },
  history: { args: ["history", email], is: "refused" },
  restore: { args: ["restore", email, "1"], is: "refused" },
  invite: { args: ["invite", email], is: "refused" },
  studio: { args: ["studio", "--studio-port", "0"], is: "refused" },
  "hook add": { args: ["hook", "add", email, "https://hook.example/"], is: "refused" },
  "hook list": { args: ["hook", "list"], is: "refused" },
  "hook test": { args: ["hook", "test", "some-id"], is: "refused" },
  "hook remove": { args: ["hook", "remove", "some-id"], is: "refused" },
  "hook log": { args: ["hook", "log", "some-id"], is: "refused" },
  mcp: { args: ["mcp", email], is: "refused" },
};

/** Those that say in other words what they do, each in a test of its own below. */
const OTHERS = ["backup", "copy", "doctor"];

/** What may change a schema. */
const UPGRADING = ["serve", "migrate", "demo"];

/** What opens no database. */
const APART = [
  "openapi",
  "serve-worker",
  "draw-previews",
  "new",
  "schema",
  "convert",
  "health",
  "completion",
  "man",
];

function namesOf(command: Command): string[] {
  return command.commands.flatMap((child) =>
    child.commands.length > 0
      ? namesOf(child).map((name) => `${child.name()} ${name}`)
      : [child.name()].filter((name) => name !== "help"),
  );
}

describe("a database of an earlier version", () => {
  test("is looked at here by every command there is", () => {
    const known = [...Object.keys(COMMANDS), ...OTHERS, ...UPGRADING, ...APART];
    expect(namesOf(makeProgram()).filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each(Object.entries(COMMANDS))("is as it was after `%s`", async (_, { args, is }) => {
    using program = new Program();
    await makeVersionOne(program.database, 2);
    const before = await everythingAt(program.database);
    const outcome = await program.run(args, JSON.stringify(writtenRecord(3)));
    if (is === "refused") {
      const { expected } = await schemaVersionAt(program.database);
      expectRefusal(outcome, {
        error: `the database ${program.databaseName} has schema version 1, and this Vitrine needs version ${expected}`,
        remedy: "vitrine migrate",
      });
    } else expect(outcome).toMatchObject({ stderr: "", exitCode: 0 });
    expect(await everythingAt(program.database)).toEqual(before);
  });

  test("gives all its records to `export`", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 2);
    const lines = (await done(program, ["export", "--all"])).split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual([
      "person1@example.com",
      "person2@example.com",
    ]);
    expect(JSON.parse(await done(program, ["export", email]))).toEqual(JSON.parse(lines[0] ?? ""));
  });

  test("is what doctor finds, and leaves as it is", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 2);
    const before = await everythingAt(program.database);
    const { expected } = await schemaVersionAt(program.database);
    const { stdout, stderr, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `✗ Schema: version 1, and this Vitrine needs version ${expected}; documents were not looked at\n  → vitrine migrate\n`,
    );
    expect(stdout).toContain("✓ Storage: sound\n");
    expect(stdout).not.toContain("Documents:");
    expect(stderr).toBe("Error: 1 check failed\nTry: vitrine migrate\n");
    expect(exitCode).toBe(1);
    expect(await everythingAt(program.database)).toEqual(before);
  });

  test.each(["--from", "--to"])("is refused as what `copy %s` names", async (flag) => {
    using program = new Program();
    await makeVersionOne(program.database, 1);
    const before = await everythingAt(program.database);
    const url = program.database.engine === "sqlite" ? "sqlite:vitrine.db" : program.database.url;
    await done(program, ["migrate", "--database", "sqlite:other.db"]);
    const other = flag === "--from" ? "--to" : "--from";
    const outcome = await program.run(["copy", flag, url, other, "sqlite:other.db"]);
    expect(outcome.stderr).toMatch(/^Error: the database \S+ has schema version 1, .*\nTry: vitrine migrate/);
    expect(outcome.exitCode).toBe(1);
    expect(await everythingAt(program.database)).toEqual(before);
  });
});

describe("migrate of a database of an earlier version", () => {
  test("brings the schema up to date, and compiles all documents anew", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 3);
    const { expected } = await schemaVersionAt(program.database);
    const said = await done(program, ["migrate"]);
    expect(said).toContain(`Brought the schema from version 1 to version ${expected}.`);
    expect(said).toEndWith("Compiled the documents of 3 users anew.");
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    await done(program, ["migrate"]);
    expect(await done(program, ["migrate"])).toBe(`The schema is up to date (version ${expected}).`);
  });

  test("says that the schema is new before it compiles, which may be ended or fail", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 1500);
    const { expected } = await schemaVersionAt(program.database);
    const { screen } = await program.runOnTerminal(["migrate"], { question: "Compiling", answer: "\x03" });
    expect(screen).toContain(`Brought the schema from version 1 to version ${expected}.`);
    expect(screen).toContain("Interrupted: the documents of ");
  });

  test("run once more removes what is left of that version, once nothing is to be compiled, and says so", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 3);
    const { expected } = await schemaVersionAt(program.database);
    const tables = async () => Object.keys(await everythingAt(program.database));
    const removed = async () => JSON.parse(await done(program, ["migrate", "--json"])).removedLeftovers;
    expect(await removed()).toBe(false);
    expect((await tables()).includes("documents")).toBe(true);
    await tamperWith(program, "UPDATE compilation SET compiler = 0, through = NULL");
    expect(await removed()).toBe(false);
    expect((await tables()).includes("documents")).toBe(true);
    expect((await done(program, ["migrate"])).split("\n")).toEqual([
      `The schema is up to date (version ${expected}).`,
      "Removed what only an older Vitrine could read.",
    ]);
    const old = ["documents", "public_documents", "link_trees", "pages", "profile_pages"];
    expect((await tables()).filter((table) => old.includes(table))).toEqual([]);
    expect(await removed()).toBe(false);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("by --json tells that it removed what was left", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 1);
    await done(program, ["migrate"]);
    expect(JSON.parse(await done(program, ["migrate", "--json"]))).toMatchObject({
      compiled: 0,
      removedLeftovers: true,
    });
  });

  test("that is killed goes on where it was", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 1500);
    const killed = program.spawn(["migrate"]);
    const through = () => compiledThrough(program.database);
    await until("the first documents to be compiled", async () => (await through()) > 0);
    killed.kill("SIGKILL");
    await killed.exited;
    const reached = await through();
    expect(reached).toBeGreaterThan(0);
    const said = JSON.parse(await done(program, ["migrate", "--json"])) as { compiled: number };
    expect(said.compiled).toBe(1500 - reached);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("serve on a database of an earlier version", () => {
  test("answers at once with what there is, and compiles all documents anew meanwhile", async () => {
    using program = new Program();
    await makeVersionOne(program.database, 1200);
    await using server = await program.serve();
    const key = await done(program, ["key", "create", "person1200@example.com"]);
    const read = async () => (await fetch(`${server.url}/user/full`, withKey(key))).text();
    const first = await read();
    if (first !== OLD_BODY) expect(JSON.parse(first)).toMatchObject({ email: "person1200@example.com" });
    await until("all documents to be compiled", () =>
      server.output().includes("all documents are compiled anew"),
    );
    expect(JSON.parse(await read())).toMatchObject({ email: "person1200@example.com" });
    expect((await fetch(`${server.url}/t/everything-1`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("documents of an older compiler", () => {
  test("are what doctor finds, and what migrate mends", async () => {
    using program = new Program();
    await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
    await tamperWith(program, "UPDATE compilation SET compiler = 0, through = NULL");
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      "✗ Documents: those of 1 user are still to be compiled anew\n  → vitrine migrate\n",
    );
    expect(exitCode).toBe(1);
    expect(await done(program, ["migrate"])).toContain("Compiled the documents of 1 user anew.");
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("are served as they are by `serve --no-migrate`, which says so", async () => {
    using program = new Program();
    await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
    await tamperWith(program, "UPDATE compilation SET compiler = 0, through = NULL");
    await using server = await program.serve(["serve", "--no-migrate"]);
    expect(server.output()).toContain("documents are of an older version");
    expect(await server.stop()).toBe(0);
    expect((await everythingAt(program.database)).compilation).toEqual([
      expect.objectContaining({ compiler: 0 }),
    ]);
  });
});

if (engineInUse() === sqlite) {
  describe("before its schema is changed, a file", () => {
    /** Beside the database. */
    const copies = ({ folder }: Program) =>
      readdirSync(folder.path).filter((name) => name.startsWith("vitrine.db.before-"));
    const copyAt = (program: Program, name: string) =>
      ({ engine: "sqlite", file: program.folder.file(name) }) as const;

    test("is copied beside itself, and migrate says so", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 2);
      const before = await everythingAt(program.database);
      const { expected } = await schemaVersionAt(program.database);
      const name = `vitrine.db.before-v${expected}`;
      expect(await done(program, ["migrate"])).toStartWith(
        `Copied the database to ${name}: with it, the upgrade can be undone.\n`,
      );
      expect(copies(program)).toEqual([name]);
      expect(await everythingAt(copyAt(program, name))).toEqual(before);
    });

    test("is copied by serve, which says so in its log", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      await using server = await program.serve();
      expect(copies(program)).toHaveLength(1);
      expect(server.output()).toContain(`"file":"${copies(program)[0]}"`);
    });

    test("is copied for its owner, so that root can upgrade what the server could then go back to", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      const file = program.folder.file("vitrine.db");
      if (process.getuid?.() === 0) chownSync(file, NOBODY, NOBODY);
      const { uid, gid } = statSync(file);
      await done(program, ["migrate"]);
      expect(statSync(program.folder.file(copies(program)[0] as string))).toMatchObject({ uid, gid });
    });

    test("is copied under another name where there is a copy already", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      const { expected } = await schemaVersionAt(program.database);
      await program.put(`vitrine.db.before-v${expected}`, "an earlier one");
      await done(program, ["migrate"]);
      expect(copies(program).toSorted()).toEqual([
        `vitrine.db.before-v${expected}`,
        `vitrine.db.before-v${expected}-2`,
      ]);
    });

    test("is brought up to date by several at once, though they would copy it under the same name", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 2);
      const before = await everythingAt(program.database);
      const { expected } = await schemaVersionAt(program.database);
      const atOnce = async () => upgradeSchema(await engineAt(program.database), { copy: true });
      await Promise.all([atOnce(), atOnce(), atOnce()]);
      expect((await schemaVersionAt(program.database)).found).toBe(expected);
      expect(copies(program)).toContain(`vitrine.db.before-v${expected}`);
      for (const name of copies(program)) expect(await everythingAt(copyAt(program, name))).toEqual(before);
    });

    test.each(["migrate", "serve"])("is not copied by `%s --no-copy`", async (command) => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      if (command === "serve") {
        await using server = await program.serve([command, "--no-copy"]);
        expect(await server.stop()).toBe(0);
      } else await done(program, [command, "--no-copy"]);
      expect(copies(program)).toEqual([]);
      expect((await schemaVersionAt(program.database)).found).toBeGreaterThan(1);
    });

    withSmallDisk((scriptOn) => {
      test("stays as it is where the disk has no room for the copy", async () => {
        using program = new Program();
        await makeVersionOne(program.database, 20);
        const { size } = Bun.file(program.folder.file("vitrine.db"));
        const { stdout, stderr } = await program.runScript(
          scriptOn(
            1.5 * size,
            `cp vitrine.db small
            vitrine migrate --database sqlite:small/vitrine.db || echo "exit code $?"
            ls small
            cmp vitrine.db small/vitrine.db`,
          ),
        );
        const copy = `small/vitrine.db.before-v${(await schemaVersionAt(program.database)).expected}`;
        expect(stderr).toBe(
          `Error: the disk has no room for ${copy} (${(size / 1e6).toFixed(1)} MB)\nTry: df -h small\n`,
        );
        expect(stdout).toBe("exit code 1\nvitrine.db\n");
      });
    });

    test("has no copy where the change fails, however often a supervisor starts it again", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      await tamperWith(program, "CREATE TABLE pages (of_another_program TEXT)");
      const before = await everythingAt(program.database);
      for (const command of ["serve", "migrate"])
        expect(await program.run([command])).toMatchObject({
          stdout: "",
          stderr: expect.stringContaining("table pages already exists"),
          exitCode: 1,
        });
      expect(copies(program)).toEqual([]);
      expect(await everythingAt(program.database)).toEqual(before);
    });

    test("is left without a part of a copy by a server that is told to stop meanwhile", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 1);
      await tamperWith(
        program,
        "CREATE TABLE weight (bytes BLOB)",
        "INSERT INTO weight SELECT zeroblob(1e8) FROM (VALUES (1), (2))",
      );
      const server = program.spawn(["serve", "--port", "0"]);
      const isUnfinished = () => copies(program).some((name) => name.endsWith(".unfinished"));
      await until("the copy to be begun", isUnfinished);
      server.kill("SIGTERM");
      expect(await server.exited).toBe(143);
      expect(copies(program)).toEqual([]);
    });

    test("is not copied where the schema is up to date, or new", async () => {
      using program = new Program();
      await done(program, ["migrate"]);
      await done(program, ["migrate"]);
      expect(copies(program)).toEqual([]);
    });

    test("can be put back, and the earlier version reads it as before", async () => {
      using program = new Program();
      await makeVersionOne(program.database, 2);
      const before = await everythingAt(program.database);
      await done(program, ["migrate"]);
      await done(program, ["import", "-"], JSON.stringify(writtenRecord(3)));
      // The way back, as the operations guide has it.
      await Bun.$`rm -f vitrine.db-wal vitrine.db-shm && mv vitrine.db.before-v* vitrine.db`.cwd(
        program.folder.path,
      );
      expect(await everythingAt(program.database)).toEqual(before);
      expect(readWithVersionOne(program.folder.file("vitrine.db"))).toBe(OLD_BODY);
    });
  });
}
