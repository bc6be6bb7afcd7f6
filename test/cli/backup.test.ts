import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { done, expectRefusal, load, manyPeople, withKey } from "../support/command-line.ts";
import { Program, VITRINE } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { withSmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { withoutOverride } from "../support/without-override.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** Enough that a copy is seen while it grows. */
const BALLAST_BYTES = 128 * 1024 ** 2;

/** The user of those who own nothing. */
const NOBODY = 65534;

function countUsers(database: Database): number {
  return database.query<{ count: number }, []>("SELECT count(*) AS count FROM users").get()?.count ?? 0;
}

function filesCalled(start: string, program: Program): string[] {
  return readdirSync(program.folder.path).filter((name) => name.startsWith(start));
}

/** Starts the backup of a file that takes a while to copy, and returns while the copy grows. */
async function startLongBackup(program: Program) {
  await load(program, writtenRecord(1));
  using database = new Database(program.folder.file("vitrine.db"));
  database.run("CREATE TABLE ballast (bytes BLOB) STRICT");
  database.run("INSERT INTO ballast VALUES (zeroblob(?))", [BALLAST_BYTES]);
  // On a busy machine a copy may be whole before anybody has looked.
  for (;;) {
    const child = program.spawn(["backup", "copy.db"]);
    const name = await until("the copy to grow", () => filesCalled("copy.db", program)[0]);
    if (name !== "copy.db") return child;
    await child.exited;
    rmSync(program.folder.file(name));
  }
}

describe.concurrent("backup", () => {
  test("writes a copy that serves like the original, keys and all", async () => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    const key = await done(program, ["key", "create", email]);
    const { stdout, stderr, exitCode } = await program.run(["backup", "copy.db"]);
    expect(stdout).toMatch(/^Wrote copy\.db \(\d+\.\d MB\)\. To restore: /);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);

    const copy = ["--database", "sqlite:copy.db"];
    expect(await done(program, ["doctor", ...copy])).toEndWith("All is well.");
    expect(await done(program, ["export", "--all", ...copy])).toBe(await done(program, ["export", "--all"]));
    await using server = await program.serve(["serve", ...copy]);
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
  });

  test("is one file, with nothing left beside it", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await done(program, ["backup", "copy.db"]);
    expect(filesCalled("copy", program)).toEqual(["copy.db"]);
  });

  test("is for its owner alone, as the database is", async () => {
    using program = new Program();
    await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
    await done(program, ["backup", "copy.db"]);
    for (const name of ["vitrine.db", "copy.db"])
      expect(statSync(program.folder.file(name)).mode & 0o777).toBe(0o600);
  });

  test("that root restores as the guide has it belongs to the user of the server", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { path } = program.folder;
    const user = process.getuid?.() === 0 ? NOBODY : process.getuid?.();
    await done(program, ["backup", "vitrine-2026-11-15.db"]);
    const commands = fencesOf(sectionOf(readFile("docs/operations.md"), "Backup and restore"), "sh")
      .find((fence) => fence.includes("restored.db"))
      ?.replaceAll(/\/var\/(?:backups|lib\/vitrine)/g, path)
      .replace("-o vitrine -g vitrine", `-o ${user}`);
    await Bun.$`sh -ec ${commands}`;
    expect(statSync(program.folder.file("vitrine.db"))).toHaveProperty("uid", user);
    expect(statSync(program.folder.file("vitrine.db")).mode & 0o777).toBe(0o600);
  });

  test("is consistent while another command writes", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const writer = program.spawn(["import", await program.put("people.ndjson", manyPeople(2500, 2))]);
    using database = new Database(program.folder.file("vitrine.db"), { readonly: true });
    await until("the writer to be at work", () => countUsers(database) > 1);
    const copies = ["copy-1.db", "copy-2.db", "copy-3.db"];
    for (const copy of copies) await done(program, ["backup", copy]);
    expect(await writer.exited).toBe(0);

    for (const name of copies) {
      using copy = new Database(program.folder.file(name), { readonly: true });
      expect(countUsers(copy)).toBeGreaterThan(1);
      expect(await done(program, ["doctor", "--database", `sqlite:${name}`])).toEndWith("All is well.");
    }
  });

  test("run several times at once to one name writes one, whole, and the others say so", async () => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    const all = await Promise.all(Array.from({ length: 4 }, () => program.run(["backup", "copy.db"])));
    expect(all.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1, 1, 1]);
    for (const { stderr } of all.filter(({ exitCode }) => exitCode === 1))
      expect(stderr).toBe("Error: copy.db exists already\nTry: vitrine backup copy-2.db\n");
    expect(filesCalled("copy", program)).toEqual(["copy.db"]);
    expect(await done(program, ["doctor", "--database", "sqlite:copy.db"])).toEndWith("All is well.");
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("that gets a %s leaves nothing behind", async (signal, exitCode) => {
    using program = new Program();
    const child = await startLongBackup(program);
    child.kill(signal);
    expect(await new Response(child.stderr).text()).toBe("Interrupted: no backup was written.\n");
    expect(await child.exited).toBe(exitCode);
    expect(filesCalled("copy", program)).toEqual([]);
  });

  test("that was started by nohup goes on when its terminal is closed", async () => {
    using program = new Program({}, ["nohup", ...VITRINE]);
    const child = await startLongBackup(program);
    child.kill("SIGHUP");
    expect(await child.exited).toBe(0);
    expect(filesCalled("copy", program)).toEqual(["copy.db"]);
  });

  test("of a file without a schema is refused", async () => {
    using program = new Program();
    await program.put("vitrine.db", "");
    expectRefusal(await program.run(["backup", "copy.db"]), {
      error: "there is no database at vitrine.db",
      remedy: "vitrine import FILE",
    });
  });

  test("does not overwrite a file", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await program.put("copy.db", "precious");
    expectRefusal(await program.run(["backup", "copy.db"]), {
      error: "copy.db exists already",
      remedy: "vitrine backup copy-2.db",
    });
    expect(await Bun.file(program.folder.file("copy.db")).text()).toBe("precious");
  });

  test.each(["kept", "kept/"])("to a folder, %s, says so, and names a file in it", async (folder) => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await Bun.$`mkdir ${program.folder.file("kept")}`;
    expectRefusal(await program.run(["backup", folder]), {
      error: `${folder} is a folder`,
      remedy: "vitrine backup kept/vitrine.db",
    });
    await done(program, ["backup", "kept/vitrine.db"]);
  });

  test("removes the part of a copy that a killed one left, and no part that may be growing", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [
      "copy.db.unfinished",
      "copy.db.0123abcd.unfinished",
      "copy.db.0123abcd.unfinished-journal",
    ]) {
      await program.put(name, "half of a copy");
      utimesSync(program.folder.file(name), hourAgo, hourAgo);
    }
    await program.put("copy.db.4567cdef.unfinished", "another's");
    await done(program, ["backup", "copy.db"]);
    expect(filesCalled("copy", program).toSorted()).toEqual(["copy.db", "copy.db.4567cdef.unfinished"]);
    expect(await done(program, ["doctor", "--database", "sqlite:copy.db"])).toEndWith("All is well.");
  });

  test("into a folder that is not there is refused", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    expectRefusal(await program.run(["backup", "no/such/copy.db"]), {
      error: "there is no folder no/such",
      remedy: "mkdir -p no/such",
    });
  });

  withoutOverride((start) => {
    test("into a folder that may not be written to is refused, and the database not blamed", async () => {
      using program = start();
      await load(program, writtenRecord(1));
      mkdirSync(program.folder.file("closed"), { mode: 0o555 });
      expectRefusal(await program.run(["backup", "closed/copy.db"]), {
        error: /^EACCES: permission denied, access 'closed'$/,
        remedy: "run Vitrine as a user who may do that: ls -ld closed",
      });
    });
  });

  withSmallDisk((scriptOn) => {
    test("onto a file system that is read-only is refused, and no other user advised", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      const script = "mount -o remount,ro small; vitrine backup small/copy.db";
      expectRefusal(await program.runScript(scriptOn(1_000_000, script)), {
        error: /^EROFS: read-only file system, access 'small'$/,
        remedy: "name a place on another file system: no user may write to this one",
      });
    });
  });

  test("of something else than a file is refused, and not waited for", async () => {
    using program = new Program();
    Bun.spawnSync(["mkfifo", program.folder.file("vitrine.db")]);
    expectRefusal(await program.run(["backup", "copy.db"]), {
      error: /cannot open the database vitrine\.db: it is no regular file$/,
    });
    expect(filesCalled("copy", program)).toEqual([]);
  });

  test("of a database that is not there is refused, and leaves no file", async () => {
    using program = new Program();
    expectRefusal(await program.run(["backup", "copy.db"]), {
      error: "there is no database at vitrine.db",
      remedy: "vitrine import FILE",
    });
    expect(filesCalled("copy", program)).toEqual([]);
  });
});
