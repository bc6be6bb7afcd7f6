import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { done, load, newestKey, withKey } from "../support/command-line.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);
const REPLACED = "the file of the database was replaced, and is read from now on";

/** A server on a file with one person in it, and one who has a key. */
async function startOnFile(args: readonly string[] = ["serve"]) {
  await using stack = new AsyncDisposableStack();
  const program = stack.use(new Program({ LIMIT_FULL: "1000000", LIMIT_DEFAULT: "1000000" }));
  await load(program, writtenRecord(1));
  const key = await done(program, ["key", "create", email]);
  const server = stack.use(await program.serve(args));
  const ask = (path: string) =>
    fetch(server.url + path, { headers: { ...withKey(key).headers, ...PERSON }, redirect: "manual" });
  const opened = stack.move();
  return {
    program,
    key,
    server,
    file: program.folder.file("vitrine.db"),
    status: async (path: string) => (await ask(path)).status,
    /** Waits until all that is asked for is answered with this status. */
    async answers(status: number, ...paths: string[]) {
      for (const path of paths)
        await until(`${path} answers ${status}`, async () => (await ask(path)).status === status);
    },
    views: async () =>
      (JSON.parse(await done(program, ["stats", email, "--json"])) as { views: number }).views,
    backup: async () => {
      await done(program, ["backup", "backup.db"]);
      return program.folder.file("backup.db");
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const DOCUMENT = "/user/full";
const TREE = "/user/linktrees/everything-1";
const PAGE = "/t/everything-1";
const READY = "/readyz";

/** Files that the process has open although they are no longer there. */
function deletedFilesOf({ child }: ServingProgram): string[] {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder)
    .map((name) => {
      try {
        return readlinkSync(`${folder}/${name}`);
      } catch {
        return "";
      }
    })
    .filter((path) => path.includes("vitrine.db") && path.endsWith("(deleted)"));
}

/** Moves what waits in the log to its place, so that a copy of the file is a copy of all. */
function settle(file: string): void {
  using database = new Database(file);
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Overwrites pages of a file where they lie, as a faulty disk would. */
function damage(file: string, table: string): void {
  settle(file);
  using database = new Database(file, { readonly: true });
  const { size } = database
    .query<{ size: number }, []>("SELECT page_size AS size FROM pragma_page_size")
    .get() ?? {
    size: 0,
  };
  const pages = database
    .query<{ page: number }, [string]>(
      "SELECT rootpage AS page FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0",
    )
    .all(table);
  const descriptor = openSync(file, "r+");
  for (const { page } of pages) writeSync(descriptor, Buffer.alloc(size, 0xab), 0, size, (page - 1) * size);
}

function everyLineIsJson({ output }: ServingProgram): boolean {
  return output()
    .trimEnd()
    .split("\n")
    .every((line) => line.startsWith("{") && JSON.parse(line) !== undefined);
}

describe("a backup that is moved into the place of the file while the server runs", () => {
  test("is read and counted in from then on, and the log of the old file harms it not", async () => {
    await using it = await startOnFile();
    await it.answers(200, PAGE);
    const file = await it.backup();
    const later = await done(it.program, ["key", "create", email]);
    expect((await fetch(it.server.url + DOCUMENT, withKey(later))).status).toBe(200);
    await it.answers(200, PAGE);
    expect(await it.views()).toBe(2);

    renameSync(file, it.file);
    await until("the server to notice", () => it.server.output().includes(REPLACED));
    expect((await fetch(it.server.url + DOCUMENT, withKey(later))).status).toBe(401);
    expect(await it.status(DOCUMENT)).toBe(200);
    expect(await it.views()).toBe(1);
    await it.answers(200, PAGE);
    expect(await it.views()).toBe(2);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");

    const { id } = await newestKey(it.program);
    await done(it.program, ["key", "revoke", id]);
    expect(await it.status(DOCUMENT)).toBe(401);
    await until("the old file to be closed", () => deletedFilesOf(it.server).length === 0);
    expect(await it.server.stop()).toBe(0);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
  });

  test("leaves the old file complete, where it was moved aside", async () => {
    await using it = await startOnFile();
    const file = await it.backup();
    await it.answers(200, PAGE);
    renameSync(it.file, it.program.folder.file("aside.db"));
    renameSync(file, it.file);
    await until("the server to notice", () => it.server.output().includes(REPLACED));
    const aside = await done(it.program, ["stats", email, "--json", "--database", "sqlite:aside.db"]);
    expect(JSON.parse(aside)).toMatchObject({ views: 1 });
    expect(await done(it.program, ["doctor", "--database", "sqlite:aside.db"])).toEndWith("All is well.");
    expect(await it.views()).toBe(0);
  });

  test("is noticed when readiness is asked for, and not only later", async () => {
    await using it = await startOnFile();
    const file = await it.backup();
    rmSync(it.file);
    expect(await it.status(READY)).toBe(503);
    renameSync(file, it.file);
    await it.answers(200, READY, DOCUMENT, PAGE);
  });

  test("of another schema is refused with the reason, and the old file is served when it comes back", async () => {
    await using it = await startOnFile();
    await it.answers(200, PAGE);
    const file = await it.backup();
    {
      using database = new Database(file);
      database.run("PRAGMA user_version = 1");
    }
    const aside = it.program.folder.file("aside.db");
    renameSync(it.file, aside);
    renameSync(file, it.file);
    await it.answers(503, DOCUMENT, PAGE, READY);
    await until("the reason to be told", () =>
      /replaced by one that cannot be read.*schema version 1/.test(it.server.output()),
    );
    renameSync(aside, it.file);
    await it.answers(200, DOCUMENT, PAGE, READY);
    await until("the view to be counted", async () => (await it.views()) === 2);
    expect(await it.server.stop()).toBe(0);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("a shorter backup that is written over the file while the server runs", () => {
  test("and whose log was deleted, as before a restore, is served within moments, and a stop is quick", async () => {
    await using it = await startOnFile();
    const backup = await it.backup();
    await load(it.program, ...Array.from({ length: 50 }, (_, index) => writtenRecord(index + 2)));
    settle(it.file);
    expect(statSync(it.file).size).toBeGreaterThan(statSync(backup).size);
    await it.answers(200, READY, "/t/everything-2");
    for (const suffix of ["-wal", "-shm"]) rmSync(it.file + suffix);
    copyFileSync(backup, it.file);
    await it.answers(404, "/t/everything-2");
    await it.answers(200, DOCUMENT, PAGE, READY);
    await until("the view to be counted", async () => (await it.views()) === 1);
    expect(await it.server.stop()).toBe(0);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("a file that is deleted while the server runs", () => {
  test("is missed: everything says 503, nothing is made in its place, and it is served when it is back", async () => {
    await using it = await startOnFile();
    await it.answers(200, DOCUMENT, PAGE);
    const file = await it.backup();
    rmSync(it.file);
    await it.answers(503, DOCUMENT, TREE, PAGE, READY);
    expect((await fetch(`${it.server.url}/healthz`)).status).toBe(200);
    expect(existsSync(it.file)).toBe(false);
    renameSync(file, it.file);
    await it.answers(200, DOCUMENT, TREE, PAGE, READY);
    expect(await it.server.stop()).toBe(0);
    expect(await it.views()).toBeGreaterThan(0);
  });

  test("goes on as if nothing had been when the very same file comes back", async () => {
    await using it = await startOnFile();
    await it.answers(200, PAGE);
    renameSync(it.file, `${it.file}.aside`);
    await it.answers(503, DOCUMENT);
    renameSync(`${it.file}.aside`, it.file);
    await it.answers(200, DOCUMENT, PAGE, READY);
    expect(await it.server.stop()).toBe(0);
    expect(await it.views()).toBe(2);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
  });
});

describe("a file that is cut off while the server runs", () => {
  test.each(["moved", "written"] as const)(
    "kills no process: answers are 503, and it serves again when the file is %s back",
    async (how) => {
      await using it = await startOnFile();
      await it.answers(200, DOCUMENT, PAGE);
      settle(it.file);
      const copy = it.program.folder.file("copy.db");
      copyFileSync(it.file, copy);
      await it.answers(200, DOCUMENT, TREE);
      truncateSync(it.file, 8192);
      await it.answers(503, DOCUMENT, PAGE, READY);
      expect(it.server.child.exitCode).toBeNull();
      if (how === "moved") renameSync(copy, it.file);
      else copyFileSync(copy, it.file);
      await it.answers(200, DOCUMENT, PAGE, READY);
      expect(await it.server.stop()).toBe(0);
      expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
    },
  );

  test("down to nothing does not kill the process either", async () => {
    await using it = await startOnFile();
    await it.answers(200, PAGE, DOCUMENT);
    truncateSync(it.file, 0);
    await it.answers(503, DOCUMENT, PAGE, READY);
    expect(await it.server.stop()).toBe(0);
    expect(statSync(it.file).size).toBe(0);
  });
});

describe("a file that is damaged while the server runs", () => {
  test.each([
    ["answers", DOCUMENT],
    ["keys", DOCUMENT],
    ["trees", TREE],
    ["renditions", PAGE],
  ])("in its table %s makes the server not ready", async (table, path) => {
    await using it = await startOnFile();
    await it.answers(200, READY);
    damage(it.file, table);
    await it.answers(503, path, READY);
  });

  test("leaves a log of whole JSON lines, and ends the server with 0 all the same", async () => {
    await using it = await startOnFile();
    damage(it.file, "answers");
    damage(it.file, "renditions");
    await it.answers(503, DOCUMENT, PAGE, READY);
    expect(await it.server.stop()).toBe(0);
    expect(everyLineIsJson(it.server)).toBe(true);
    expect(await new Response(it.server.child.stderr).text()).toBe("");
  });
});

describeWithRedis("a backup that is moved into the place of the file of several workers", (redis) => {
  test("is what all of them read and count in", async () => {
    const { url } = await redis();
    await using it = await startOnFile(["serve", "--workers", "3", "--redis", url]);
    await it.answers(200, PAGE);
    const file = await it.backup();
    const later = await done(it.program, ["key", "create", email]);
    renameSync(file, it.file);
    await until("all workers to notice", () => it.server.output().split(REPLACED).length === 1 + 3);
    const apart = { headers: { ...withKey(later).headers, Connection: "close" } };
    for (let time = 0; time < 30; time++)
      expect((await fetch(it.server.url + DOCUMENT, apart)).status).toBe(401);
    const visits = { headers: { ...PERSON, Connection: "close" } };
    for (let time = 0; time < 30; time++)
      expect((await fetch(it.server.url + PAGE, visits)).status).toBe(200);
    expect(await it.server.stop()).toBe(0);
    expect(await it.views()).toBe(31);
    expect(await done(it.program, ["doctor"])).toEndWith("All is well.");
  });
});
