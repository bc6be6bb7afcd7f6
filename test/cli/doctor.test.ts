import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { SETTINGS } from "../../src/settings.ts";
import { done, hasDatabase, load } from "../support/command-line.ts";
import { schemaVersionAt } from "../support/databases.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import type { Outcome } from "../support/program.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { TAMPERINGS, tamper, tamperWith, tamperWithRecord } from "../support/tampering.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { withoutOverride } from "../support/without-override.ts";

setDefaultTimeout(300_000);

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

function findingsIn({ stdout }: Outcome): { ok: boolean; findings: Finding[] } {
  return JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
}

describe.concurrent("doctor", () => {
  test("says that all is well, and what it looked at", async () => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    const { expected } = await schemaVersionAt(program.database);
    expect(await program.run(["doctor"])).toEqual({
      stdout: [
        `✓ Settings: all ${Object.keys(SETTINGS).length} can be used`,
        `✓ Schema: version ${expected}, as it should be`,
        "✓ Storage: sound",
        "✓ Documents: those of 2 users equal what their records compile to",
        "All is well.",
        "",
      ].join("\n"),
      stderr: "",
      exitCode: 0,
    });
  });

  test("says the same as JSON", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const outcome = await program.run(["doctor", "--json"]);
    const { ok, findings } = findingsIn(outcome);
    expect(ok).toBe(true);
    expect(findings.map(({ check }) => check)).toEqual(["Settings", "Schema", "Storage", "Documents"]);
    expect(findings.every((finding) => finding.ok)).toBe(true);
    expect(outcome.exitCode).toBe(0);
  });

  test.each(TAMPERINGS)("finds $what, and says what to do", async ({ statement, finding }) => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    await tamperWith(program, statement);
    const { stdout, stderr, exitCode } = await program.run(["doctor"]);
    expect(stdout).toMatch(/^✗ Documents: /m);
    expect(stdout).toContain(finding);
    expect(stdout).not.toContain("person2@example.com");
    expect(stdout).toMatch(/^ {2}→ vitrine rebuild$/m);
    expect(stdout).not.toContain("All is well");
    expect(stderr).toBe("Error: 1 check failed\nTry: vitrine rebuild\n");
    expect(exitCode).toBe(1);
  });

  test("finds a record that was changed behind its documents", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await tamperWithRecord(program, 1, (text) => text.replace('"codehostId":1001', '"codehostId":5'));
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain("full of person1@example.com is different");
    expect(exitCode).toBe(1);
  });

  test("counts the wrong documents and names the first of them", async () => {
    using program = new Program();
    await load(program, ...Array.from({ length: 30 }, (_, index) => writtenRecord(index + 1)));
    await tamperWith(program, `UPDATE answers SET links_etag = '"other"'`);
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toContain(
      "30 documents of 30 users are wrong: links of person1@example.com is different;",
    );
    expect(stdout).toMatch(/; …$/m);
  });

  test("says the same of what is wrong as JSON", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await tamperWith(program, TAMPERINGS[0].statement);
    const outcome = await program.run(["doctor", "--json"]);
    const { ok, findings } = findingsIn(outcome);
    expect(ok).toBe(false);
    expect(findings.find(({ check }) => check === "Documents")).toMatchObject({
      ok: false,
      remedy: "vitrine rebuild",
    });
    expect(outcome.exitCode).toBe(1);
  });

  test("finds every wrong setting, and looks at the rest all the same", async () => {
    using program = new Program({ PORT: "many", LIMIT_FULL: "-1" });
    await load(program, writtenRecord(1));
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain('✗ Settings: PORT is "many", but it must be a whole number from 0 to 65535');
    expect(stdout).toContain("  → set PORT to a whole number from 0 to 65535");
    expect(stdout).toContain('✗ Settings: LIMIT_FULL is "-1"');
    expect(stdout).toContain("✓ Documents: ");
    expect(exitCode).toBe(1);
  });

  test("says of a secret in a file that it is the file to see to", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { stdout } = await program.run(["doctor"], undefined, { REDIS_URL_FILE: "/nowhere" });
    expect(stdout).toContain("  → set REDIS_URL_FILE to a file that can be read (ENOENT)");
  });

  test("takes a secret that comes by a pipe, which can be read once", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { stdout } = await program.runScript("OIDC_CLIENT_SECRET_FILE=<(printf geheim) vitrine doctor");
    expect(stdout).toEndWith("All is well.\n");
  });

  test("finds settings that can be used one by one, but not together", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const environment = { WORKERS: "4", OIDC_ISSUER: "https://login.example" };
    const { stdout, exitCode } = await program.run(["doctor"], undefined, environment);
    expect(stdout).toContain("✗ Settings: 4 workers without Redis would count apart");
    expect(stdout).toContain("  → vitrine serve --workers 4 --redis redis://127.0.0.1:6379");
    expect(stdout).toContain("✗ Settings: OIDC_ISSUER is set, but OIDC_CLIENT_ID is not");
    expect(stdout).not.toContain("can be used");
    expect(exitCode).toBe(1);
  });

  test("finds that there is no database, and makes none", async () => {
    using program = new Program();
    const { stdout, stderr, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `✗ Database: there is none at ${program.databaseName}\n  → vitrine import FILE\n`,
    );
    expect(stderr).toBe("Error: 1 check failed\nTry: vitrine import FILE\n");
    expect(exitCode).toBe(1);
    expect(await hasDatabase(program)).toBe(false);
  });

  test("works beside a running server", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using server = await program.serve();
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

if (engineInUse() === sqlite) {
  describe.concurrent("doctor on a file", () => {
    test("finds a file that is no database, and leaves it as it is", async () => {
      using program = new Program();
      const text = "These are notes, and they are longer than a hundred bytes. ".repeat(10);
      await program.put("vitrine.db", text);
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toMatch(/^✗ Database: cannot open the database vitrine\.db: /m);
      expect(stdout).toMatch(/^ {2}→ \S/m);
      expect(exitCode).toBe(1);
      expect(await Bun.file(program.folder.file("vitrine.db")).text()).toBe(text);
    });

    test("finds the database of another program, and leaves it as it is", async () => {
      using program = new Program();
      const file = program.folder.file("vitrine.db");
      tamper(file, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')");
      const before = await Bun.file(file).bytes();
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toMatch(/^✗ Database: .*another program/m);
      expect(exitCode).toBe(1);
      expect(Buffer.compare(await Bun.file(file).bytes(), before)).toBe(0);
    });

    test("finds a database of a newer Vitrine, and leaves it as it is", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      const file = program.folder.file("vitrine.db");
      tamper(file, "PRAGMA user_version = 99");
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toMatch(
        /^✗ Schema: version 99, which a newer Vitrine has made; .*\n {2}→ use a newer Vitrine$/m,
      );
      expect(exitCode).toBe(1);
      using database = new Database(file, { readonly: true });
      expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    });

    test("finds that a file is damaged, and names all the files to replace", async () => {
      using program = new Program();
      await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
      const file = program.folder.file("vitrine.db");
      const bytes = await Bun.file(file).bytes();
      await Bun.write(file, bytes.fill(0xff, 100, 8192));
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toMatch(
        /^✗ (?:Database|Storage): .*\n {2}→ stop the server, delete vitrine\.db-wal and vitrine\.db-shm, and put the last backup in the place of vitrine\.db$/m,
      );
      expect(exitCode).toBe(1);
    });

    test("finds that a file is empty, and does not call it well", async () => {
      using program = new Program();
      await program.put("vitrine.db", "");
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toContain("✗ Database: there is none at vitrine.db\n  → vitrine import FILE\n");
      expect(exitCode).toBe(1);
      expect(statSync(program.folder.file("vitrine.db")).size).toBe(0);
    });

    test("finds that there is something else than a file, and does not wait for it", async () => {
      using program = new Program();
      Bun.spawnSync(["mkfifo", program.folder.file("vitrine.db")]);
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toContain(
        "✗ Database: cannot open the database vitrine.db: it is no regular file\n  → name another database with --database\n",
      );
      expect(exitCode).toBe(1);
    });

    test("finds that the folder is missing", async () => {
      using program = new Program({ DATABASE_URL: "sqlite:no/such/vitrine.db" });
      const { stdout } = await program.run(["doctor"]);
      expect(stdout).toContain("✗ Database: there is no folder no/such\n  → mkdir -p no/such\n");
    });

    withoutOverride((start) => {
      test("finds that it may not read a file, and does not ask for a backup", async () => {
        using program = start();
        await load(program, writtenRecord(1));
        chmodSync(program.folder.file("vitrine.db"), 0o000);
        const { stdout, exitCode } = await program.run(["doctor"]);
        expect(stdout).toContain(
          "✗ Database: cannot open the database vitrine.db: permission denied\n  → run Vitrine as the user who owns the file: ls -l vitrine.db\n",
        );
        expect(stdout).not.toContain("backup");
        expect(exitCode).toBe(1);
      });

      test.each(["doctor", "user list", "import -", "migrate"])(
        "finds that it may not enter the folder of the database, and so does every command: %s",
        async (command) => {
          using program = start();
          mkdirSync(program.folder.file("closed"));
          const there = { DATABASE_URL: "sqlite:closed/vitrine.db" };
          const record = JSON.stringify(writtenRecord(1));
          expect((await program.run(["import", "-"], record, there)).exitCode).toBe(0);
          chmodSync(program.folder.file("closed"), 0o000);
          const { stdout, stderr, exitCode } = await program.run(command.split(" "), record, there);
          chmodSync(program.folder.file("closed"), 0o700);
          expect(stdout + stderr).toContain("cannot open the database closed/vitrine.db: permission denied");
          expect(stderr).toEndWith(
            "Try: run Vitrine as the user who owns the file: ls -l closed/vitrine.db\n",
          );
          expect(exitCode).toBe(1);
        },
      );

      test.each([
        ["file", 0o444, 0o755],
        ["folder", 0o644, 0o555],
      ])("finds that a %s is read-only, and that all else is well", async (_, fileMode, folderMode) => {
        using program = start();
        await load(program, writtenRecord(1));
        chmodSync(program.folder.file("vitrine.db"), fileMode);
        chmodSync(program.folder.path, folderMode);
        const { stdout, exitCode } = await program.run(["doctor"]);
        chmodSync(program.folder.path, 0o755);
        expect(stdout).toContain("✓ Documents: ");
        expect(stdout).toMatch(
          /^✗ Database: the file or its folder is read-only: it can be read, but not written\n {2}→ make both writable for the user who runs Vitrine: ls -ld \. vitrine\.db$/m,
        );
        expect(exitCode).toBe(1);
      });

      test("is not needed for export and backup of a file that is read-only, in a folder that is", async () => {
        using program = start();
        await load(program, writtenRecord(1));
        const copy = new TemporaryFolder();
        chmodSync(program.folder.file("vitrine.db"), 0o444);
        chmodSync(program.folder.path, 0o555);
        expect(await done(program, ["export", "--all"])).toContain(writtenRecord(1).email);
        await done(program, ["backup", copy.file("copy.db")]);
        expect(await done(program, ["user", "list"])).toContain(writtenRecord(1).email);
        chmodSync(program.folder.path, 0o755);
        expect(await done(program, ["doctor", "--database", `sqlite:${copy.file("copy.db")}`])).toEndWith(
          "All is well.",
        );
        copy[Symbol.dispose]();
      });
    });

    withoutOverride((start) => {
      test.each(["sqlite:", "sqlite://", "sqlite:///"])(
        "is not needed to read in a folder that is read-only either, with %s before the path",
        async (scheme) => {
          using program = start();
          await load(program, writtenRecord(1));
          chmodSync(program.folder.path, 0o555);
          const database = scheme + program.folder.file("vitrine.db");
          expect(await done(program, ["user", "list", "--database", database])).toContain(
            writtenRecord(1).email,
          );
          chmodSync(program.folder.path, 0o755);
        },
      );
    });

    test.each([
      ["DROP TABLE hooks", "the table hooks is missing; the index hooks_by_user is missing"],
      ["DROP TABLE instances", "the table instances is missing"],
      ["DROP INDEX keys_by_user", "the index keys_by_user is missing"],
    ])("finds what is missing after %s, and does not send to itself", async (statement, finding) => {
      using program = new Program();
      await load(program, writtenRecord(1));
      tamper(program.folder.file("vitrine.db"), statement);
      const { stdout, stderr, exitCode } = await program.run(["doctor"]);
      expect(stdout).toContain(`✗ Storage: ${finding}\n  → stop the server, delete vitrine.db-wal and `);
      expect(stdout + stderr).not.toContain("vitrine doctor");
      expect(exitCode).toBe(1);
    });

    test("finds a key that belongs to nobody", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      await done(program, ["key", "create", writtenRecord(1).email]);
      tamper(
        program.folder.file("vitrine.db"),
        "PRAGMA foreign_keys = OFF",
        "UPDATE keys SET user_number = 77",
      );
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toContain("✗ Storage: a row of keys belongs to no user");
      expect(exitCode).toBe(1);
    });
  });
}

describeWithRedis("doctor, where there is a Redis", (redis, startAnother) => {
  test("says that it answers", async () => {
    using program = new Program({ REDIS_URL: (await redis()).url });
    await load(program, writtenRecord(1));
    expect(await done(program, ["doctor"])).toContain("✓ Redis: answers and takes writes\n");
  });

  const REMEDY = 'start it, or correct REDIS_URL: redis-cli -u "$REDIS_URL" ping';

  test("says that it is away, and not with which password it was asked", async () => {
    using program = new Program({ REDIS_URL: "redis://ada:geheim@127.0.0.1:1" });
    await load(program, writtenRecord(1));
    const { stdout, stderr, exitCode } = await program.run(["doctor"]);
    expect(stdout).toMatch(/^✗ Redis: cannot be used: Connection closed$/m);
    expect(stdout).toContain(`\n  → ${REMEDY}\n`);
    expect(stdout + stderr).not.toContain("geheim");
    expect(exitCode).toBe(1);
  });

  test("says what to ask where it refuses the password, which its client does not tell", async () => {
    using program = new Program({ REDIS_URL: (await redis()).url.replace("//", "//ada:geheim@") });
    await load(program, writtenRecord(1));
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toContain(`\n  → ${REMEDY}\n`);
    if (Bun.which("redis-cli"))
      expect((await program.runScript('redis-cli -u "$REDIS_URL" ping 2>&1')).stdout).toContain("WRONGPASS");
  });

  const refusals = [
    { of: "without memory left", given: ["CONFIG", "SET", "maxmemory", "1"], remedy: "make room in it" },
    {
      of: "that is a replica",
      given: ["REPLICAOF", "127.0.0.1", "1"],
      remedy: "name its primary in REDIS_URL",
    },
    {
      of: "with a fault of its own",
      given: ["CONFIG", "SET", "min-replicas-to-write", "1"],
      remedy: "look at its log",
    },
  ] as const;
  for (const { of, given, remedy } of refusals) {
    const [command, ...args] = given;
    test(`says what to do about one ${of}, which needs no start`, async () => {
      await using refusing = await startAnother();
      using program = new Program({ REDIS_URL: refusing.url });
      await load(program, writtenRecord(1));
      await refusing.send(command, ...args);
      const { stdout } = await program.run(["doctor"]);
      expect(stdout).toContain("✗ Redis: cannot be used: ");
      expect(stdout).toContain(`\n  → ${remedy}`);
    });
  }

  test.each([
    "+eval +evalsha",
    // The script calls the one that is missing only where a caller comes again after a minute.
    "+eval +evalsha +time +lindex +llen +rpush +pexpire",
  ])("says to one whose user has %s which rights it needs, and is content with those", async (given) => {
    await using guarded = await startAnother();
    await guarded.send("ACL", "SETUSER", "ada", "on", ">geheim", "~vitrine:*", ...given.split(" "));
    using program = new Program({ REDIS_URL: guarded.url.replace("//", "//ada:geheim@") });
    await load(program, writtenRecord(1));
    const { stdout } = await program.run(["doctor"]);
    const [, rights = ""] = stdout.match(/\n {2}→ grant its user (.*)\n/) ?? [];
    await guarded.send("ACL", "SETUSER", "ada", "reset", "on", ">geheim", ...rights.split(" "));
    expect(await done(program, ["doctor"])).toContain("✓ Redis: answers and takes writes\n");
  });
});
