import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { done, expectRefusal, load } from "../support/command-line.ts";
import { withValue } from "../support/edit-record.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import { FROM_SOURCE, Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { makeVersionOne } from "../support/version-one.ts";

setDefaultTimeout(300_000);

const OTHER = ["--database", "sqlite:other.db"];

/** What is to be tried next, by the last line of a failure. */
function remedyIn(stderr: string): string {
  return /^Try: (.+)$/m.exec(stderr)?.[1] ?? stderr;
}

/** A folder with a database that only a flag leads to, and no other. */
async function withOther(): Promise<Program> {
  const program = new Program({ DATABASE_URL: "" });
  await done(program, ["import", "-", ...OTHER], JSON.stringify(writtenRecord(1)));
  return program;
}

describe("what a command says to try, where a flag has named the database,", () => {
  test("is about the same database", async () => {
    using program = await withOther();
    const refused = await program.run(["export", "bob@example.com", ...OTHER]);
    expectRefusal(refused, {
      error: "there is no user bob@example.com",
      remedy: "vitrine user list --database sqlite:other.db",
    });
    expect((await program.runScript(remedyIn(refused.stderr))).stdout).toContain(writtenRecord(1).email);
  });

  test("can be pasted, whatever the file is called", async () => {
    using program = await withOther();
    const flag = ["--database", "sqlite:Ada's own $HOME.db"];
    await done(program, ["import", "-", ...flag], JSON.stringify(writtenRecord(2)));
    const { stderr } = await program.run(["export", "bob@example.com", ...flag]);
    expect((await program.runScript(remedyIn(stderr))).stdout).toContain(writtenRecord(2).email);
  });

  test("brings an older one up to date, and makes no new one", async () => {
    using program = new Program({ DATABASE_URL: "" });
    await makeVersionOne({ engine: "sqlite", file: program.folder.file("other.db") }, 1);
    for (const command of ["user list", "doctor"]) {
      const { stderr } = await program.run([...command.split(" "), ...OTHER]);
      expect(remedyIn(stderr)).toBe("vitrine migrate --database sqlite:other.db");
    }
    expect((await program.runScript("vitrine migrate --database sqlite:other.db")).exitCode).toBe(0);
    expect(await done(program, ["doctor", ...OTHER])).toEndWith("All is well.");
    expect(existsSync(program.folder.file("vitrine.db"))).toBe(false);
  });

  test("copies the same database under another name", async () => {
    using program = await withOther();
    await done(program, ["backup", "copy.db", ...OTHER]);
    const { stderr } = await program.run(["backup", "copy.db", ...OTHER]);
    expect(remedyIn(stderr)).toBe("vitrine backup copy-2.db --database sqlite:other.db");
    expect((await program.runScript(remedyIn(stderr))).exitCode).toBe(0);
  });

  test("can be pasted where a file or a folder that was named has spaces, too", async () => {
    using program = await withOther();
    const copy = "new folder/a copy.db";
    for (const file of [copy, copy, copy, "new folder"]) {
      const { stderr } = await program.run(["backup", file, ...OTHER]);
      await program.runScript(remedyIn(stderr));
    }
    for (const made of ["new folder", "new folder/a copy-2.db", "new folder/vitrine.db"])
      expect(existsSync(program.folder.file(made))).toBe(true);
  });

  test("can be pasted where an address has an apostrophe, or a slug a space", async () => {
    using program = new Program({ DATABASE_URL: "" });
    const email = "o'brien@example.com";
    const record = withValue(writtenRecord(1), "linkTrees[0].slug", "it's me");
    await done(program, ["import", "-", ...OTHER], JSON.stringify(withValue(record, "email", email)));
    for (const command of [
      ["restore", email, "7"],
      ["stats", email, "--tree", "none"],
      ["qr", "it's me", "--out", "code.gif"],
      ["user", "delete", email],
    ]) {
      const { stderr } = await program.run([...command, ...OTHER]);
      expect((await program.runScript(remedyIn(stderr))).exitCode).toBe(0);
    }
  });

  test("says so to programs as well", async () => {
    using program = await withOther();
    const { stdout } = await program.run(["doctor", "--json", "--database", "sqlite:none.db"]);
    expect(JSON.parse(stdout).findings).toContainEqual({
      check: "Database",
      ok: false,
      detail: "there is none at none.db",
      remedy: "vitrine import FILE --database sqlite:none.db",
    });
  });

  test("has no password in it", async () => {
    using program = new Program({ DATABASE_URL: "" });
    const away = ["--database", "postgres://ada:secret@127.0.0.1:1/vitrine"];
    const refused = await program.run(["user", "list", ...away]);
    expectRefusal(refused, { error: /127\.0\.0\.1:1\/vitrine/, remedy: "vitrine doctor --database URL" });
    const { stdout, stderr } = await program.run(["doctor", ...away]);
    expect(remedyIn(stderr)).toBe('psql URL -c "SELECT 1"');
    expect(stdout + stderr + refused.stderr).not.toContain("secret");
  });

  test("is so where a list is empty, too: an import elsewhere would make another one", async () => {
    using program = await withOther();
    const { email } = writtenRecord(1);
    const onOther = "--database sqlite:other.db";
    expect(await done(program, ["key", "list", email, ...OTHER])).toEndWith(
      `: vitrine key create ${email} ${onOther}`,
    );
    expect(await done(program, ["hook", "list", ...OTHER])).toEndWith(
      `: vitrine hook add EMAIL URL ${onOther}`,
    );
    await done(program, ["user", "delete", email, "--yes", ...OTHER]);
    expect(await done(program, ["user", "list", ...OTHER])).toEndWith(`: vitrine import FILE ${onOther}`);
  });

  test("leaves alone what names a database itself, or is a look at the help", async () => {
    using program = await withOther();
    const { stderr } = await program.run(["export", "ada@example.com", "--view", "all", ...OTHER]);
    expect(remedyIn(stderr)).toBe("vitrine export --help");
  });
});

test("where a flag or a file has the URL, what a command says to try names no variable that a shell lacks", async () => {
  using program = await withOther();
  const { stderr } = await program.run(["doctor", "--redis", "redis://127.0.0.1:1", ...OTHER]);
  expect(remedyIn(stderr)).toEndWith(": redis-cli -u URL ping");
  await Bun.write(program.folder.file("url"), "postgres://127.0.0.1:1/vitrine");
  const refused = await program.run(["backup", "all.dump"], undefined, { DATABASE_URL_FILE: "url" });
  expect(remedyIn(refused.stderr)).toBe("pg_dump --format=custom --schema=vitrine --file=all.dump URL");
});

test("without the flag, a command finds the database by itself", async () => {
  using program = await withOther();
  const environment = { DATABASE_URL: "sqlite:other.db" };
  const { stderr } = await program.run(["export", "bob@example.com"], undefined, environment);
  expect(remedyIn(stderr)).toBe("vitrine user list");
});

if (ENGINES.includes(postgres))
  test("in a database of another encoding, a command says how to make one that will do", async () => {
    await using service = await startPostgresService();
    const admin = service.cluster.connect("vitrine");
    await admin.unsafe("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    await admin.close();
    const environment = { DATABASE_URL: service.url.replace(/\/vitrine$/, "/ascii") };
    expectRefusal(await service.program.run(["migrate"], undefined, environment), {
      error: "the database has the encoding SQL_ASCII, and Vitrine needs UTF8",
      remedy:
        "createdb --encoding=UTF8 --locale=C --template=template0 NAME, and name that one in DATABASE_URL",
    });
  });

if (ENGINES.includes(postgres))
  test("in a database that its provider has made read-only, commands and the doctor say so", async () => {
    await using service = await startPostgresService();
    await load(service.program, writtenRecord(1));
    const admin = service.cluster.connect("vitrine");
    await admin.unsafe("ALTER DATABASE vitrine SET default_transaction_read_only = on");
    await admin.close();
    const remedy = /set its default_transaction_read_only to off$/;
    const refused = await service.program.run(["key", "create", writtenRecord(1).email]);
    expectRefusal(refused, { error: /in a read-only transaction$/, remedy });
    const { stdout, stderr } = await service.program.run(["doctor"]);
    expect(stdout).toContain("✗ Database: the database is read-only: it can be read, but not written\n");
    expect(remedyIn(stderr)).toMatch(remedy);
  });

describe("what a command says to try, where npx has started it,", () => {
  /** As npm tells what it starts by npx. */
  const BY_NPX = { npm_lifecycle_event: "npx" };

  test("begins with npx: in a checkout nothing else finds the program", async () => {
    using program = new Program(BY_NPX, FROM_SOURCE);
    await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
    const { email } = writtenRecord(1);
    const refused = await program.run(["key", "list", "bob@example.com"]);
    expect(remedyIn(refused.stderr)).toBe("npx vitrine user list");
    expect(await done(program, ["key", "list", email])).toEndWith(`: npx vitrine key create ${email}`);
    expect(await done(program, ["hook", "list", email])).toEndWith(`: npx vitrine hook add ${email} URL`);
  });

  test("does so in every line of the doctor, and not in its JSON, which programs read", async () => {
    using program = new Program({ ...BY_NPX, DATABASE_URL: "sqlite:none.db" }, FROM_SOURCE);
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toContain("  → npx vitrine import FILE\n");
    expect((await program.run(["doctor", "--json"])).stdout).toContain('"remedy": "vitrine import FILE"');
  });

  test("leaves it out of the executable, which without a checkout it would not lead to", async () => {
    using program = new Program(BY_NPX);
    const { stderr } = await program.run(["key", "list", "bob@example.com"]);
    const isExecutable = process.env.VITRINE_EXECUTABLE !== undefined;
    expect(remedyIn(stderr)).toStartWith(isExecutable ? "vitrine " : "npx vitrine ");
  });
});
