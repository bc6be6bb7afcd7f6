import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { describeDatabase, parseDatabaseUrl } from "../../src/store/location.ts";
import type { Store } from "../../src/store/store.ts";
import { done, expectRefusal, withKey } from "../support/command-line.ts";
import { count, everythingIn, fill, use } from "../support/contents.ts";
import { withValue } from "../support/edit-record.ts";
import { ENGINES, sqlite, type TestDatabase } from "../support/engines.ts";
import { type Outcome, Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { tamper } from "../support/tampering.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

const WAYS = ENGINES.flatMap((from) =>
  ENGINES.map((to) => ({ from, to, way: `${from.name} to ${to.name}` })),
);

async function copy(source: TestDatabase, target: TestDatabase, ...options: string[]): Promise<Outcome> {
  using program = new Program();
  return await program.run(["copy", "--from", source.url, "--to", target.url, ...options]);
}

interface Summary {
  readonly copied: Readonly<Record<string, number>>;
  readonly verified: Readonly<Record<string, number>>;
}

async function copied(source: TestDatabase, target: TestDatabase): Promise<Summary> {
  const { stdout, stderr, exitCode } = await copy(source, target, "--json");
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Summary;
}

async function writeTo(database: TestDatabase, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await database.openStore();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function change(database: TestDatabase, path: string, value: unknown, whose = email): Promise<void> {
  await writeTo(database, async (store) => {
    const record = await store.records.find(whose);
    await store.records.save([checkedRecord(withValue(record, path, value))]);
  });
}

function nameOf({ url }: TestDatabase): string {
  const location = parseDatabaseUrl(url);
  if (!location) throw new Error(`not a URL of a database: ${url}`);
  return describeDatabase(location);
}

test("copy to a file without a schema, as one leaves it that is killed when it makes the target, fills it", async () => {
  await using source = await sqlite.create();
  await using target = await sqlite.create();
  await fill(source);
  await Bun.write(nameOf(target), "");
  await copied(source, target);
  expect(await everythingIn(target)).toEqual(await everythingIn(source));
});

describe.each(WAYS)("copy from $way", ({ from, to }) => {
  test("takes along every record, key and count, and says what it did", async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fill(source);
    expect(await copy(source, target)).toEqual({
      stdout: [
        `Copied 3 users, 4 keys, 1 hook and 5 counts from ${nameOf(source)} to ${nameOf(target)}.`,
        "Verified: 3 users, 4 keys, 1 hook and 5 counts are the same in both, and every document is what its record compiles to.",
        "",
      ].join("\n"),
      stderr: "",
      exitCode: 0,
    });
    expect(await everythingIn(target)).toEqual(await everythingIn(source));
  });

  test("lets keys go on working, with the same answers to the letter", async () => {
    await using source = await from.create();
    await using target = await to.create();
    const { key } = await fill(source);
    await copied(source, target);
    using program = new Program();
    const answers = [];
    for (const { url } of [source, target]) {
      await using server = await program.serve(["serve", "--database", url], {
        PUBLIC_URL: "https://vitrine.example",
      });
      for (const path of ["/user/full", "/user/linktrees", "/user/links", "/t/everything-1"]) {
        const response = await fetch(`${server.url}${path}`, withKey(key));
        expect(response.status).toBe(200);
        answers.push(`${response.headers.get("ETag")} ${await response.text()}`);
      }
    }
    expect(answers.slice(0, answers.length / 2)).toEqual(answers.slice(answers.length / 2));
  });

  test("copies nothing when it is run again, and doubles no count", async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fill(source);
    await copied(source, target);
    const { stdout, exitCode } = await copy(source, target);
    expect(stdout).toStartWith(
      `Copied 0 users, 0 keys, 0 hooks and 0 counts from ${nameOf(source)} to ${nameOf(target)}; the rest was there already.\n`,
    );
    expect(exitCode).toBe(0);
    expect(await everythingIn(target)).toEqual(await everythingIn(source));
  });

  test("takes over what has changed in the source since", async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fill(source);
    await copied(source, target);

    // What was one user's has become another's, and that in both directions of the order.
    await change(source, "linkTrees[0].slug", "elsewhere", writtenRecord(3).email);
    await change(source, "linkTrees[0].slug", "everything-3");
    await change(source, "email", "moved@example.com");
    await change(source, "email", email, writtenRecord(3).email);
    await writeTo(source, async (store) => {
      await store.records.save([checkedRecord(writtenRecord(5))]);
      const [key] = await store.keys.of("moved@example.com");
      await store.keys.revoke(key?.id ?? "");
    });
    await count(source, { email: "moved@example.com", count: 2 }, { email: writtenRecord(5).email });

    const { copied: written, verified } = await copied(source, target);
    expect(written.users).toBe(3);
    expect(verified).toEqual({ users: 4, keys: 4, hooks: 1, counts: 6 });
    expect(await everythingIn(target)).toEqual(await everythingIn(source));
  });
});

describe.each(ENGINES)("copy within $name refuses", (engine) => {
  test("a source that is not there, and makes neither", async () => {
    await using source = await engine.create();
    await using target = await sqlite.create();
    for (let round = 0; round < 2; round++) {
      expectRefusal(await copy(source, target), {
        error: `there is no database at ${nameOf(source)}`,
        remedy: "vitrine copy --help",
      });
    }
    expect(existsSync(nameOf(target))).toBe(false);
  });

  test("a target with a user who was deleted from the source, until they are deleted there, too", async () => {
    await using source = await engine.create();
    await using target = await engine.create();
    await fill(source);
    await copied(source, target);
    await writeTo(source, (store) => store.records.delete(email));
    expectRefusal(await copy(source, target), {
      error: `the database ${nameOf(target)} holds what does not come from the source: person1@example.com is not in the source`,
    });
    await writeTo(target, (store) => store.records.delete(email));
    await copied(source, target);
    expect(await everythingIn(target)).toEqual(await everythingIn(source));
  });
});

describe.concurrent("copy", () => {
  test("of an empty database makes another one", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await writeTo(source, async () => {});
    expect(await copied(source, target)).toEqual({
      from: nameOf(source),
      to: nameOf(target),
      copied: { users: 0, keys: 0, hooks: 0, counts: 0 },
      verified: { users: 0, keys: 0, hooks: 0, counts: 0 },
    } as Summary);
  });

  test("leaves the source as it is, to the byte", async () => {
    using program = new Program();
    await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)));
    await done(program, ["key", "create", email]);
    const bytes = () => readFileSync(program.folder.file("vitrine.db"));
    const before = bytes();
    await done(program, ["copy", "--from", "sqlite:vitrine.db", "--to", "sqlite:copy.db"]);
    expect(Buffer.compare(bytes(), before)).toBe(0);
  });

  test("works while the source is served", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    const { key } = await fill(source);
    using program = new Program();
    await using server = await program.serve(["serve", "--database", source.url]);
    await copied(source, target);
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
  });

  test("shows on a terminal how far it is, and leaves a clean line", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await fill(source);
    using program = new Program();
    const args = ["copy", "--from", source.url, "--to", target.url];
    const { screen, exitCode } = await program.runOnTerminal(args);
    for (const kind of ["users", "keys", "hooks", "counts"])
      expect(screen).toMatch(new RegExp(`Copying ${kind} [█░]{24} 100% \\d`));
    expect(screen).toMatch(/Verifying documents [█░]{24} 100%/);
    expect(screen.split("\x1b[2K").at(-1)).toStartWith("Copied 3 users, 4 keys, 1 hook and 5 counts from ");
    expect(exitCode).toBe(0);
  });

  test("finds a document that is wrong in the target", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await fill(source);
    await copied(source, target);
    tamper(nameOf(target), `UPDATE answers SET links_etag = '"other"' WHERE user_number = 1`);
    expectRefusal(await copy(source, target), {
      error: "1 document of the target is not what the records compile to",
      remedy: "vitrine rebuild --database URL",
    });
  });
});

describe.concurrent("copy refuses", () => {
  test.each([
    {
      what: "other users",
      edit: (target: TestDatabase) =>
        writeTo(target, async (store) => {
          await store.records.delete(email);
          await store.records.save([checkedRecord(writtenRecord(1))]);
        }),
      reason: /person1@example\.com is not in the source$/,
    },
    {
      what: "a newer record",
      edit: (target: TestDatabase) => change(target, "codehostId", 5),
      reason: /the record of person1@example\.com is newer there$/,
    },
    {
      what: "a key of its own",
      edit: (target: TestDatabase) =>
        writeTo(target, (store) =>
          store.keys.create([{ email, hash: new Uint8Array(32), name: null, expiresAt: null }]),
        ),
      reason: /the key [\w-]+ is not in the source$/,
    },
    {
      what: "a key that was used there",
      edit: async (target: TestDatabase) =>
        use(target, (await everythingIn(target)).keys[0]?.id ?? "", Date.now()),
      reason: /the key [\w-]+ was used or ended there$/,
    },
    {
      what: "a key that was revoked there",
      edit: async (target: TestDatabase) => {
        const { keys } = await everythingIn(target);
        const key = keys.find(({ revokedAt }) => revokedAt === null);
        await writeTo(target, (store) => store.keys.revoke(key?.id ?? ""));
      },
      reason: /the key [\w-]+ was used or ended there$/,
    },
    {
      what: "a key that was given an end there",
      edit: async (target: TestDatabase) => {
        const { keys } = await everythingIn(target);
        const key = keys.find(({ expiresAt }) => expiresAt === null);
        tamper(nameOf(target), `UPDATE keys SET expires_at = 5 WHERE id = '${key?.id}'`);
      },
      reason: /the key [\w-]+ was used or ended there$/,
    },
    {
      what: "a hook of its own",
      edit: (target: TestDatabase) =>
        writeTo(target, async (store) => {
          const url = "https://hook.example/other";
          await store.hooks.add({
            email,
            url,
            headers: [],
            body: null,
            secret: null,
            events: ["record.changed"],
          });
        }),
      reason: /the hook [\w-]+ is not in the source$/,
    },
    {
      what: "views of a day that the source does not know",
      edit: (target: TestDatabase) => count(target, { day: "2026-05-01" }),
      reason: /views or clicks of 2026-05-01 were counted there that the source does not have$/,
    },
    {
      what: "more views than the source has",
      edit: (target: TestDatabase) => count(target, {}),
      reason: /views or clicks of 2026-04-12 were counted there that the source does not have$/,
    },
  ])("a target with $what, and leaves it as it is", async ({ edit, reason }) => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await fill(source);
    await copied(source, target);
    await edit(target);
    // Something that would be copied, if anything were.
    await writeTo(source, (store) => store.records.save([checkedRecord(writtenRecord(5))]));
    const before = await everythingIn(target);
    expectRefusal(await copy(source, target), {
      error: reason,
      remedy:
        "name an empty database with --to; or, if a user or a hook was deleted from the source, delete it there, too",
    });
    expect(await everythingIn(target)).toEqual(before);
  });

  test("a source that is of another program, and leaves it as it is", async () => {
    using program = new Program();
    tamper(program.folder.file("a.db"), "CREATE TABLE precious (value TEXT)");
    const before = readFileSync(program.folder.file("a.db"));
    expectRefusal(await program.run(["copy", "--from", "sqlite:a.db", "--to", "sqlite:b.db"]), {
      error: /^cannot open the database a\.db: the file is a database of another program, not of Vitrine$/,
    });
    expect(Buffer.compare(readFileSync(program.folder.file("a.db")), before)).toBe(0);
    expect(existsSync(program.folder.file("b.db"))).toBe(false);
  });

  test.each([
    { version: 1, remedy: "vitrine migrate --database URL" },
    { version: 99, remedy: "use a newer Vitrine" },
  ])("a source of schema version $version, and says what to do", async ({ version, remedy }) => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await fill(source);
    tamper(nameOf(source), `PRAGMA user_version = ${version}`);
    expectRefusal(await copy(source, target), {
      error: /has schema version \d+, and this Vitrine needs version \d+$/,
      remedy,
    });
    expect(existsSync(nameOf(target))).toBe(false);
  });

  test("to copy a database onto itself", async () => {
    await using source = await sqlite.create();
    await fill(source);
    expectRefusal(await copy(source, source), {
      error: "--from and --to name the same database",
      remedy: "name another one with --to",
      exitCode: 2,
    });
  });

  test.each([
    { args: ["--to", "sqlite:b.db"], error: "required option '--from <url>' not specified" },
    { args: ["--from", "sqlite:a.db"], error: "required option '--to <url>' not specified" },
    {
      args: ["--from", "mysql://ada:s3cret@db/x", "--to", "sqlite:b.db"],
      error: /^--from is "mysql:\/\/ada:…@db\/x", but it must be a URL such as /,
    },
    {
      args: ["--from", "sqlite:a.db", "--to", "postgres://ada:s3cret@db"],
      error: /^--to is "postgres:\/\/ada:…@db", but it must be a URL such as /,
    },
  ])("what it does not understand: $args", async ({ args, error }) => {
    using program = new Program();
    const outcome = await program.run(["copy", ...args]);
    expectRefusal(outcome, { error, remedy: "vitrine copy --help", exitCode: 2 });
    expect(outcome.stderr).not.toContain("s3cret");
  });

  test.each(["from", "to"])(
    "a PostgreSQL in --%s that cannot be reached, without its password",
    async (which) => {
      await using there = await sqlite.create();
      await fill(there);
      const away = "postgres://ada:s3cret@127.0.0.1:1/vitrine";
      using program = new Program();
      const [from, to] = which === "from" ? [away, "sqlite:b.db"] : [there.url, away];
      const outcome = await program.run(["copy", "--from", from, "--to", to]);
      expectRefusal(outcome, { error: /^cannot open the database 127\.0\.0\.1:1\/vitrine: / });
      expect(outcome.stderr).not.toContain("s3cret");
      expect(existsSync(program.folder.file("b.db"))).toBe(false);
    },
  );
});
