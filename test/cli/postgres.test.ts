import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SQL } from "bun";
import { CLI_FILES, cliOnPostgres, LEFT_OUT } from "../support/cli-on-postgres.ts";
import { done, expectRefusal } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { Program } from "../support/program.ts";

test("what is left out on PostgreSQL is there", () => {
  expect(Object.keys(LEFT_OUT).filter((name) => !CLI_FILES.includes(name))).toEqual([]);
});

cliOnPostgres("others");

if (ENGINES.includes(postgres)) {
  describe("backup of PostgreSQL", () => {
    test("is left to PostgreSQL's own tools, and says how", async () => {
      using program = new Program({ DATABASE_URL: "postgres://ada:s3cret@127.0.0.1:1/vitrine" });
      expectRefusal(await program.run(["backup", "vitrine.dump"]), {
        error: "a PostgreSQL database is backed up with PostgreSQL's own tools",
        remedy: 'pg_dump --format=custom --schema=vitrine --file=vitrine.dump "$DATABASE_URL"',
      });
      expect(existsSync(program.folder.file("vitrine.dump"))).toBe(false);
    });

    test("behind PgBouncer says that they are for PostgreSQL itself", async () => {
      using program = new Program({ DATABASE_URL: "postgres://127.0.0.1:1/vitrine?pgbouncer=true" });
      const remedy =
        "pg_dump --format=custom --schema=vitrine --file=vitrine.dump URL, which is that of PostgreSQL itself";
      expectRefusal(await program.run(["backup", "vitrine.dump"]), { error: /own tools$/, remedy });
    });
  });

  describe("a database of PostgreSQL's", () => {
    test.each([
      ["ALTER TABLE vitrine.counts DROP CONSTRAINT counts_pkey", "the table counts has no primary key"],
      ["ALTER TABLE vitrine.counts RENAME TO tallies", "the table counts is missing"],
      ["ALTER TABLE vitrine.users RENAME TO people", "the table users is missing"],
    ])("in which somebody ran %s is found by doctor", async (statement, finding) => {
      await using database = await postgres.create();
      using program = new Program({ DATABASE_URL: database.url });
      await done(program, ["migrate"]);
      await using sql = new SQL({ url: database.url, max: 1 });
      await sql.unsafe(statement);
      const { stdout, exitCode } = await program.run(["doctor"]);
      expect(stdout).toContain(`✗ Storage: ${finding}\n  → restore the last dump\n`);
      expect(exitCode).toBe(1);
    });
  });

  describe("a PostgreSQL that cannot be reached", () => {
    const UNREACHABLE = { DATABASE_URL: "postgres://ada:s3cret@127.0.0.1:1/vitrine" };

    test.each(["serve", "user list", "import -", "rebuild", "export --all"])(
      "ends %s with the place, and without the password",
      async (command) => {
        using program = new Program(UNREACHABLE);
        const outcome = await program.run(command.split(" "), "");
        expectRefusal(outcome, {
          error: /^cannot open the database 127\.0\.0\.1:1\/vitrine: /,
          remedy: "vitrine doctor",
        });
        expect(outcome.stderr).not.toContain("s3cret");
      },
    );

    test("is what doctor finds", async () => {
      using program = new Program(UNREACHABLE);
      const { stdout, stderr, exitCode } = await program.run(["doctor"]);
      expect(stdout).toMatch(/^✗ Database: cannot open the database 127\.0\.0\.1:1\/vitrine: /m);
      expect(stderr).toBe('Error: 1 check failed\nTry: psql "$DATABASE_URL" -c "SELECT 1"\n');
      expect(stdout + stderr).not.toContain("s3cret");
      expect(exitCode).toBe(1);
    });

    test("behind PgBouncer is looked at by a psql that takes the URL", async () => {
      const url = "postgres://127.0.0.1:1/vitrine?pgbouncer=true&sslmode=disable";
      using program = new Program({ DATABASE_URL: url, DATABASE_READ_URL: url });
      const { stderr, stdout } = await program.run(["doctor"]);
      const remedy = /^Try: (.+)$/m.exec(stderr)?.[1] ?? "";
      expect(stdout).toContain(`  → ${remedy.replace("DATABASE_URL", "DATABASE_READ_URL")}\n`);
      const typed = await program.runScript(remedy.replace(/^psql/, "printf '%s|'"));
      expect(typed.stdout).toBe("postgres://127.0.0.1:1/vitrine|-c|SELECT 1|");
    });
  });
}
