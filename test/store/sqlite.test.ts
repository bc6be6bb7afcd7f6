import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chownSync, existsSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { FileExists } from "../../src/store/engine.ts";
import { MakingReader } from "../../src/store/making-reader.ts";
import type { MadeRendition } from "../../src/store/rendition-writer.ts";
import { giveToOwner, putInPlace } from "../../src/store/sqlite/backup.ts";
import { openOrCreate, openReadOnly, openWritable } from "../../src/store/sqlite/connection.ts";
import { forbidTheRest } from "../../src/store/sqlite/count-connection.ts";
import { SqliteCountWriter } from "../../src/store/sqlite/count-writer.ts";
import { SqliteEngine } from "../../src/store/sqlite/engine.ts";
import { SqliteReader } from "../../src/store/sqlite/reader.ts";
import type { Store } from "../../src/store/store.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { integrityFaults, rebuild, recordsAt } from "../support/databases.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { tamper, tamperWithRecord } from "../support/tampering.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { runTogether } from "./processes.ts";

const EMAIL = writtenRecord().email;

/** A user who has no files. */
const NOBODY = 65534;

function engineOf(file: string): SqliteEngine {
  return new SqliteEngine({ engine: "sqlite", file });
}

/** A database of two people in a file of its own. */
class Sample implements AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly file: string;
  readonly engine: SqliteEngine;
  readonly store: Store;

  private constructor(folder: TemporaryFolder, engine: SqliteEngine, store: Store) {
    this.folder = folder;
    this.file = engine.name;
    this.engine = engine;
    this.store = store;
  }

  static async create(): Promise<Sample> {
    const folder = new TemporaryFolder();
    const engine = engineOf(folder.file("vitrine.db"));
    await engine.upgrade();
    const store = await engine.open();
    await store.records.save([writtenRecord(1), writtenRecord(2)].map(checkedRecord));
    return new Sample(folder, engine, store);
  }

  async key(): Promise<{ hash: Uint8Array; id: string }> {
    const hash = hashKey(mintKey());
    const [info] = await this.store.keys.create([{ email: EMAIL, hash, name: null, expiresAt: null }]);
    return { hash, id: info?.id ?? "" };
  }

  /** Has what can be made of the first person kept, but for one page. */
  async keepPages(): Promise<void> {
    const { hash } = await this.key();
    const made: MadeRendition[] = [];
    const reader = new MakingReader(new SqliteReader(this.file), (it) => made.push(it));
    await reader.readPage("empty-1");
    await reader.readProfilePage("person-1");
    await reader.readProfileFile("person-1", "card");
    await reader.readDocument(hash, "resume", "full");
    await reader.close();
    const writer = new SqliteCountWriter(this.file);
    writer.renditions.keep(made);
    writer.close();
  }

  async discrepancies(): Promise<string[]> {
    const found = await Array.fromAsync(this.store.upkeep.discrepancies(() => {}));
    return found.flatMap(({ email, differences }) =>
      differences.map(({ document, fault }) => `${document} of ${email} is ${fault}`),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    this.folder[Symbol.dispose]();
  }
}

function pragma(database: Database, name: string): unknown {
  return Object.values(database.query(`PRAGMA ${name}`).get() ?? {})[0];
}

/** What goes wrong with a file that is opened, and brought up to date. Both must say the same. */
async function failureOfOpening(file: string): Promise<unknown> {
  const engine = engineOf(file);
  const failures = await Promise.all([
    engine.open().catch((error: unknown) => error),
    engine.upgrade().catch((error: unknown) => error),
  ]);
  expect(failures.every((failure) => failure instanceof Error)).toBe(true);
  return failures[0];
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a connection that writes", () => {
  test.each([
    ["journal_mode", "wal", "so that readers never wait"],
    ["synchronous", 2, "so that a commit survives a power cut"],
    ["foreign_keys", 1, "so that a user takes keys and documents along"],
    ["busy_timeout", 10_000, "so that it waits for another writer"],
  ])("has %s at %p, %s", (name, value) => {
    using folder = new TemporaryFolder();
    using database = openOrCreate(folder.file("vitrine.db"));
    expect(pragma(database, name)).toBe(value);
  });
});

describe("a connection that reads", () => {
  test.each([
    "DELETE FROM users",
    "UPDATE keys SET revoked_at = NULL",
    "INSERT INTO trees (slug, id, user_number) VALUES ('x', 'x', 1)",
    "CREATE TABLE mine (x)",
    "DROP TABLE keys",
    "PRAGMA user_version = 9",
    "VACUUM",
  ])("cannot %s", async (statement) => {
    await using sample = await Sample.create();
    using database = openReadOnly(sample.file);
    expect(() => database.run(statement)).toThrow(/readonly|read-only/i);
  });

  test("cannot be talked into writing", async () => {
    await using sample = await Sample.create();
    using database = openReadOnly(sample.file);
    database.run("PRAGMA query_only = OFF");
    expect(() => database.run("DELETE FROM users")).toThrow(/readonly|read-only/i);
  });

  test("does not make a database that is not there", () => {
    using folder = new TemporaryFolder();
    const file = folder.file("missing.db");
    expect(failureOf(() => new SqliteReader(file))).toBeInstanceOf(StoreUnavailable);
    expect(existsSync(file)).toBe(false);
  });

  test("goes on reading while another holds the write lock", async () => {
    await using sample = await Sample.create();
    const { hash } = await sample.key();
    const reader = new SqliteReader(sample.file);
    using other = new Database(sample.file);
    other.run("BEGIN IMMEDIATE");
    other.run("DELETE FROM users");
    expect((await reader.readDocument(hash, "full", "full"))?.body).not.toBeNull();
    other.run("ROLLBACK");
    reader.close();
  });

  test("finds what was stored when it is asked, also right behind another read", async () => {
    await using sample = await Sample.create();
    const { hash, id } = await sample.key();
    const reader = new SqliteReader(sample.file);
    const read = () => reader.readDocument(hash, "full", "full");
    const tree = () => reader.readLinkTree(hash, "everything-1", "full");

    const found = read();
    expect(found).toEqual(expect.objectContaining({ keyId: id, etag: expect.any(String) }));
    expect(read()).toEqual(found);
    expect(tree()).toEqual(expect.objectContaining({ keyId: id, etag: expect.any(String) }));

    await sample.store.records.save([checkedRecord(withValue(writtenRecord(1), "linkTrees[0].links", []))]);
    expect(read()?.etag).not.toBe(found?.etag);
    await sample.store.keys.revoke(id);
    expect(read()?.revokedAt).not.toBeNull();
    reader.close();
  });

  test("takes one transaction for reads that follow each other without a pause, and leaves none open", async () => {
    await using sample = await Sample.create();
    const { hash } = await sample.key();
    const reader = new SqliteReader(sample.file);
    const etag = () => reader.readDocument(hash, "full", "full")?.etag;
    const [, before] = [etag(), etag()];
    tamper(sample.file, "UPDATE answers SET full_etag = '\"new\"'");
    expect(etag()).toBe(before);
    await null;
    expect(etag()).toBe('"new"');
    reader.close();
  });

  test("that fails says that the store is unavailable, and keeps the cause for the log", async () => {
    await using sample = await Sample.create();
    const { hash } = await sample.key();
    const reader = new SqliteReader(sample.file);
    tamper(sample.file, "DROP TABLE trees", "DROP TABLE answers");
    for (const read of [
      async () => reader.readDocument(hash, "full", "full"),
      async () => reader.readLinkTree(hash, "everything-1", "full"),
    ]) {
      const failure = await read().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).cause).toBeInstanceOf(Error);
    }
    reader.close();
  });
});

describe("a page that is not yet kept", () => {
  test("is made once for all who ask in the same turn of the event loop, and again for who asks later", async () => {
    await using sample = await Sample.create();
    let made = 0;
    const reader = new MakingReader(new SqliteReader(sample.file), () => made++);
    const [one, other] = await Promise.all([
      reader.readPage("everything-1"),
      reader.readPage("everything-1"),
    ]);
    expect([made, other]).toEqual([1, one]);
    await Promise.all([reader.readPageTag("empty-1"), reader.readPage("empty-1")]);
    expect(made).toBe(2);
    await nextTurn();
    await reader.readPage("everything-1");
    expect(made).toBe(3);
    await reader.close();
  });
});

describe("the schema", () => {
  test("has strict tables only", async () => {
    await using sample = await Sample.create();
    using database = new Database(sample.file);
    const tables = database
      .query<{ name: string; type: string; strict: number }, []>("PRAGMA table_list")
      .all()
      .filter(({ name, type }) => type === "table" && !name.startsWith("sqlite_"));
    expect(tables.length).toBeGreaterThan(3);
    expect(tables.filter(({ strict }) => strict === 0)).toEqual([]);
  });

  test("lets no key and no document be of a user who does not exist", async () => {
    await using sample = await Sample.create();
    using database = openWritable(sample.file);
    for (const table of ["answers", "public_answers", "trees"])
      expect(() => database.run(`UPDATE ${table} SET user_number = 99 WHERE user_number = 1`)).toThrow(
        "FOREIGN KEY",
      );
    expect(() =>
      database.run(
        "INSERT INTO keys (hash, id, user_number, user_id, created_at) VALUES (x'00', 'k', 99, 'u', 0)",
      ),
    ).toThrow("FOREIGN KEY");
  });

  test("holds of a key its hash, which is 32 bytes long, and nothing else", async () => {
    await using sample = await Sample.create();
    const key = mintKey();
    const hash = hashKey(key);
    await sample.store.keys.create([{ email: EMAIL, hash, name: "site", expiresAt: null }]);
    using database = new Database(sample.file);
    const row = database.query<Record<string, unknown>, []>("SELECT * FROM keys").get() ?? {};
    expect(row.hash).toEqual(new Uint8Array(hash));
    expect(hash.length).toBe(32);
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    expect(Buffer.from(await Bun.file(sample.file).arrayBuffer()).includes(key)).toBe(false);
  });
});

describe("opening", () => {
  test("a store again changes nothing of its schema", async () => {
    await using sample = await Sample.create();
    using database = new Database(sample.file);
    const before = pragma(database, "schema_version");
    await (await sample.engine.open()).close();
    expect(pragma(database, "schema_version")).toBe(before);
  });

  test("another program's database is refused, and not a byte of it changes", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("other.db");
    tamper(file, "CREATE TABLE notes (text TEXT)", "INSERT INTO notes VALUES ('mine')");
    const before = await Bun.file(file).bytes();
    const failure = await failureOfOpening(file);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toEndWith("the file is a database of another program, not of Vitrine");
    expect(await Bun.file(file).bytes()).toEqual(before);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("another program's database that only carries an application id is refused as well", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("other.db");
    tamper(file, "PRAGMA application_id = 12345");
    expect(await failureOfOpening(file)).toBeInstanceOf(StoreUnavailable);
  });

  test("a database of a newer Vitrine is refused, and not changed", async () => {
    await using sample = await Sample.create();
    const { expected } = await sample.engine.schemaVersion();
    tamper(sample.file, `PRAGMA user_version = ${expected + 1}`);
    const failure = await failureOfOpening(sample.file);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toContain(`schema version ${expected + 1}`);
    using database = new Database(sample.file);
    expect(pragma(database, "user_version")).toBe(expected + 1);
  });

  test("a file that is no database is refused, and not changed", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("notes.txt");
    const text = "not a database at all\n".repeat(100);
    await Bun.write(file, text);
    expect(await failureOfOpening(file)).toBeInstanceOf(StoreUnavailable);
    expect(failureOf(() => new SqliteReader(file))).toBeInstanceOf(Error);
    expect(await Bun.file(file).text()).toBe(text);
  });

  test("a folder, or a file in a folder that is not there, is refused by name", async () => {
    using folder = new TemporaryFolder();
    for (const file of [folder.path, folder.file("missing/vitrine.db")]) {
      const failure = await failureOfOpening(file);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).message).toContain(file);
    }
  });
});

describe("several processes", () => {
  const succeeded = { exitCode: 0, output: "" };

  test("that open and close a database which nobody else has open do not get in each other's way", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("vitrine.db");
    await engineOf(file).upgrade();
    const outcomes = await runTogether(
      Array.from({ length: 6 }, (_, index) => [`sqlite:${file}`, String(index), "1"]),
    );
    expect(outcomes).toEqual(Array.from({ length: 6 }, () => succeeded));
  }, 300_000);
});

describe("a file that is put in the place of a database", () => {
  test.each(["itself", "by a symbolic link"])(
    "which is opened %s is read and counted in instead",
    async (how) => {
      await using sample = await Sample.create();
      const { hash } = await sample.key();
      const backup = sample.folder.file("backup.db");
      await sample.engine.backup.write(backup);
      const later = await sample.key();
      const path = how === "itself" ? sample.file : sample.folder.file("link.db");
      if (how !== "itself") symlinkSync(sample.file, path);
      const writer = new SqliteCountWriter(path);
      const reader = new SqliteReader(path);
      await nextTurn();
      expect(await reader.readDocument(later.hash, "full", "full")).not.toBeNull();

      renameSync(backup, sample.file);
      expect(failureOf(() => reader.ping())).toBeInstanceOf(StoreUnavailable);
      writer.write({ counts: [], keyIds: [], usedAt: 0 });
      reader.ping();
      await nextTurn();
      expect(await reader.readDocument(later.hash, "full", "full")).toBeNull();
      expect(await reader.readDocument(hash, "full", "full")).not.toBeNull();
      reader.close();
      writer.close();
      expect(await integrityFaults({ engine: "sqlite", file: sample.file })).toEqual([]);
    },
  );

  test("by another link is read at once, and the old one keeps its log", async () => {
    await using sample = await Sample.create();
    const other = sample.folder.file("other.db");
    await sample.engine.backup.write(other);
    const link = sample.folder.file("link.db");
    symlinkSync(sample.file, link);
    const writer = new SqliteCountWriter(link);
    const reader = new SqliteReader(link);
    const { hash } = await sample.key();
    await nextTurn();
    expect(await reader.readDocument(hash, "full", "full")).not.toBeNull();
    symlinkSync(other, `${link}.new`);
    renameSync(`${link}.new`, link);
    reader.ping();
    writer.write({ counts: [], keyIds: [], usedAt: 0 });
    await nextTurn();
    expect(await reader.readDocument(hash, "full", "full")).toBeNull();
    expect(existsSync(`${sample.file}-wal`)).toBe(true);
    reader.close();
    writer.close();
  });
});

/** Reads of one turn of the event loop share a snapshot. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a connection that counts", () => {
  test("moves what others have committed from the log to its place, so that reads need not look there", async () => {
    await using sample = await Sample.create();
    // As SQLite documents the index of the log: how many frames there are, and how many have been moved.
    const numbers = () => {
      const index = new DataView(readFileSync(`${sample.file}-shm`).buffer);
      return { frames: index.getUint32(16, true), moved: index.getUint32(96, true) };
    };
    expect(numbers().frames).toBeGreaterThan(0);
    expect(numbers().moved).toBe(0);
    const writer = new SqliteCountWriter(sample.file, { settleMs: 1 });
    await until("the log to be moved", () => numbers().moved === numbers().frames);
    writer.close();
  });

  test("does not wait for another writer for long: it fails and can be tried again", async () => {
    await using sample = await Sample.create();
    const { id } = await sample.key();
    const writer = new SqliteCountWriter(sample.file);
    const batch = (usedAt: number) => ({ counts: [], keyIds: [id], usedAt });
    using other = new Database(sample.file);
    other.run("BEGIN IMMEDIATE");
    expect(() => writer.write(batch(1000))).toThrow("locked");
    other.run("COMMIT");
    writer.write(batch(2000));
    writer.close();
    expect((await sample.store.keys.find(id))?.lastUsedAt).toBe(2000);
  });

  test.each([
    "DELETE FROM users",
    "UPDATE users SET email = 'x'",
    "INSERT INTO users (id, email, folded_email, profile_slug, record) VALUES ('x', 'x', 'x', 'x', '{}')",
    "UPDATE users SET packed_record = x'00'",
    "UPDATE answers SET body = x'00'",
    "DELETE FROM answers",
    "UPDATE public_answers SET body = x'00'",
    "DELETE FROM public_answers",
    "UPDATE trees SET etag = 'x'",
    "DELETE FROM trees",
    "INSERT INTO link_targets VALUES (1, 't', 'l', '{}')",
    "UPDATE renditions SET user_number = 2",
    "UPDATE renditions SET kind = 'profile'",
    "DELETE FROM renditions",
    "UPDATE keys SET revoked_at = NULL",
    "UPDATE keys SET expires_at = 0",
    "INSERT INTO keys (hash, id, user_number, user_id, created_at) VALUES (x'00', 'k', 1, 'u', 0)",
    "DELETE FROM keys",
    "DELETE FROM counts",
    "UPDATE instances SET started = 0",
    "UPDATE instances SET id = 'other'",
    "INSERT INTO hooks (id, user_number, url, headers, events, created_at) VALUES ('i', 1, 'u', '[]', 'e', 0)",
    "UPDATE hooks SET url = 'https://elsewhere.example/'",
    "UPDATE hooks SET secret = NULL",
    "DELETE FROM hooks",
    "INSERT INTO changes VALUES (2, 0, '[]')",
    "UPDATE changes SET changed = '[]'",
    "UPDATE deliveries SET hook_id = 'other'",
    "UPDATE deliveries SET details = '{}'",
  ])("cannot %s", async (statement) => {
    await using sample = await Sample.create();
    await sample.key();
    tamper(
      sample.file,
      "INSERT INTO counts VALUES (1, 't', '', '2026-01-01', 1)",
      "INSERT INTO instances VALUES ('server', 1, 1)",
      "INSERT INTO renditions VALUES (1, 'page', 't', 1, 'x', '', '', '', x'00')",
      "INSERT INTO hooks (id, user_number, url, headers, events, created_at) VALUES ('h', 1, 'u', '[]', 'e', 0)",
      "INSERT INTO changes VALUES (1, 0, '[]')",
      "INSERT INTO deliveries (id, hook_id, event, details, created_at, state, attempts, due_at) VALUES ('d', 'h', 'e', '{}', 0, 's', 0, 0)",
    );
    using database = openWritable(sample.file);
    forbidTheRest(database);
    expect(() => database.run(statement)).toThrow("this connection only counts");
  });
});

const CUT = ["full", "linktrees", "jobs", "projects", "education"];
const TREES = ["linktrees/everything-1", "linktrees/empty-1"];

function findings(documents: readonly string[], fault = "different"): string[] {
  return documents.map((document) => `${document} of ${EMAIL} is ${fault}`);
}

function inPublic(documents: readonly string[]): string[] {
  return documents.map((document) => `public/${document}`);
}

describe("a user who is deleted", () => {
  test("leaves nothing in the file or in its log, also of what was said before", async () => {
    await using sample = await Sample.create();
    const { store, file } = sample;
    await sample.key();
    await sample.keepPages();
    const words = () =>
      [file, `${file}-wal`].flatMap((path) => {
        const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
        return [EMAIL, writtenRecord().profile.slug, "former-slug"].filter((word) => bytes.includes(word));
      });
    await store.records.save([checkedRecord(withValue(writtenRecord(), "profile.slug", "former-slug"))]);
    await store.records.save([checkedRecord(writtenRecord())]);
    expect(words()).toContain("former-slug");
    expect(await store.records.delete(EMAIL)).toBe(true);
    expect(words()).toEqual([]);
    expect(await integrityFaults({ engine: "sqlite", file })).toEqual([]);
  });
});

describe("a document changed behind Vitrine's back is found, and rebuilding mends it:", () => {
  test.each([
    [
      "the full document",
      "UPDATE answers SET body = CAST('{}' AS BLOB) WHERE user_number = 1",
      findings([...CUT, ...inPublic(CUT), ...TREES]),
    ],
    [
      "one byte of what stands at its beginning",
      "UPDATE answers SET body = CAST(substr(body, 1, 40) || x'ff' || substr(body, 42) AS BLOB) WHERE user_number = 2",
      ["full of person2@example.com is different"],
    ],
    [
      "its tag",
      `UPDATE answers SET full_etag = '"x"' WHERE user_number = 1`,
      ["full of person1@example.com is different"],
    ],
    [
      "the public one",
      "UPDATE public_answers SET body = CAST('{}' AS BLOB) WHERE user_number = 1",
      findings([...inPublic(CUT), ...TREES]),
    ],
    [
      "where the public one goes on in the other",
      "UPDATE public_answers SET shared_start = shared_start - 1 WHERE user_number = 1",
      findings([...inPublic(CUT), ...TREES]),
    ],
    [
      "the links",
      "UPDATE answers SET links = CAST('{}' AS BLOB) WHERE user_number = 1",
      ["links of person1@example.com is different", "public/links of person1@example.com is different"],
    ],
    [
      "the place of a list within it",
      "UPDATE answers SET jobs_start = jobs_start + 1 WHERE user_number = 1",
      ["jobs of person1@example.com is different"],
    ],
    [
      "the length of a list within it",
      "UPDATE answers SET linktrees_length = 2 WHERE user_number = 1",
      ["linktrees of person1@example.com is different"],
    ],
    [
      "the checksum of a list within it",
      "UPDATE answers SET projects_checksum = 2 WHERE user_number = 1",
      ["projects of person1@example.com is different"],
    ],
    [
      "the tag of a list",
      `UPDATE answers SET education_etag = '"x"' WHERE user_number = 1`,
      ["education of person1@example.com is different"],
    ],
    [
      "all that a user has",
      "DELETE FROM answers WHERE user_number = 1",
      [
        ...findings(["full", "links", ...CUT.slice(1)], "missing"),
        ...findings([...inPublic(["full", "links", ...CUT.slice(1)]), ...TREES]),
      ],
    ],
    [
      "all that everybody may see of a user",
      "DELETE FROM public_answers WHERE user_number = 1",
      [...findings(inPublic(["full", "links", ...CUT.slice(1)]), "missing"), ...findings(TREES)],
    ],
    [
      "whether the profile is public",
      "UPDATE public_answers SET has_profile_page = 0 WHERE user_number = 1",
      ["profile page of person1@example.com is missing"],
    ],
    [
      "a tree's tag",
      `UPDATE trees SET etag = '"x"' WHERE slug = 'empty-2'`,
      ["linktrees/empty-2 of person2@example.com is different"],
    ],
    [
      "a tree's id",
      "UPDATE trees SET id = 'x' WHERE slug = 'empty-2'",
      ["linktrees/empty-2 of person2@example.com is different"],
    ],
    [
      "a tree that is gone",
      "DELETE FROM trees WHERE slug = 'empty-1'",
      ["linktrees/empty-1 of person1@example.com is missing"],
    ],
    [
      "a tree too many",
      `INSERT INTO trees VALUES ('extra', 'extra', 1, '"x"', 0, NULL, 2, 2, 0)`,
      ["linktrees/extra of person1@example.com is unexpected"],
    ],
    [
      "a tree under another slug",
      "UPDATE trees SET slug = 'other' WHERE slug = 'empty-1'",
      [
        "linktrees/empty-1 of person1@example.com is missing",
        "linktrees/other of person1@example.com is unexpected",
      ],
    ],
    [
      "a tree given to another user",
      "UPDATE trees SET user_number = 2 WHERE slug = 'empty-1'",
      [
        "linktrees/empty-1 of person1@example.com is missing",
        "linktrees/empty-1 of person2@example.com is unexpected",
      ],
    ],
    [
      "where links of a long tree lead",
      `INSERT INTO link_targets SELECT 1, id, 'x', '{"x":"https://evil.example/"}' FROM trees WHERE slug = 'everything-1'`,
      ["links of pages of person1@example.com is different"],
    ],
    [
      "a page",
      "UPDATE renditions SET body = x'3c' WHERE user_number = 1 AND kind = 'page'",
      ["pages/empty-1 of person1@example.com is different"],
    ],
    [
      "where a page has its picture from",
      "UPDATE renditions SET picture_origin = 'https://evil.example' WHERE user_number = 1 AND kind = 'page'",
      ["pages/empty-1 of person1@example.com is different"],
    ],
    [
      "a page of a tree that is not there",
      "UPDATE renditions SET tree_id = 'other' WHERE user_number = 1 AND kind = 'page'",
      ["pages/other of person1@example.com is unexpected"],
    ],
    [
      "the page of a profile",
      "UPDATE renditions SET scene = 'x' WHERE user_number = 1 AND kind = 'profile'",
      ["profile of person1@example.com is different"],
    ],
    [
      "a card",
      "UPDATE renditions SET body = x'3c' WHERE user_number = 1 AND kind = 'card'",
      ["card of person1@example.com is different"],
    ],
    [
      "a résumé",
      `UPDATE renditions SET etag = '"x"' WHERE user_number = 1 AND kind = 'resume'`,
      ["resume of person1@example.com is different"],
    ],
  ])("%s", async (_, statement, found) => {
    await using sample = await Sample.create();
    await sample.keepPages();
    tamper(sample.file, statement);
    expect(await sample.discrepancies()).toEqual(found);
    expect(await rebuild(sample.store)).toBe(2);
    expect(await sample.discrepancies()).toEqual([]);
  });

  test("a record without its documents following", async () => {
    await using sample = await Sample.create();
    await tamperWithRecord({ database: { engine: "sqlite", file: sample.file } }, 1, (text) =>
      text.replace('"codehostId":1001', '"codehostId":1009'),
    );
    expect(await sample.discrepancies()).toEqual(["full of person1@example.com is different"]);
    expect(await rebuild(sample.store)).toBe(2);
    expect(await sample.discrepancies()).toEqual([]);
  });

  test("but not that a page is gone: it is made again", async () => {
    await using sample = await Sample.create();
    await sample.keepPages();
    tamper(sample.file, "DELETE FROM renditions WHERE kind = 'page'");
    expect(await sample.discrepancies()).toEqual([]);
  });

  test("nor what another version has made: nobody reads it", async () => {
    await using sample = await Sample.create();
    await sample.keepPages();
    tamper(sample.file, "UPDATE renditions SET version = version + 1, body = x'3c'");
    expect(await sample.discrepancies()).toEqual([]);
  });
});

describe("what belongs to no user", () => {
  test.each([
    ["answers", "UPDATE answers SET user_number = 99 WHERE user_number = 1"],
    ["public_answers", "UPDATE public_answers SET user_number = 99 WHERE user_number = 1"],
    ["trees", "UPDATE trees SET user_number = 99 WHERE slug = 'empty-1'"],
    ["renditions", "INSERT INTO renditions VALUES (99, 'page', 't', 1, 'x', '', '', '', x'00')"],
    ["counts", "INSERT INTO counts VALUES (99, 't', '', '2026-01-01', 1)"],
  ])("in %s is a fault", async (table, statement) => {
    await using sample = await Sample.create();
    tamper(sample.file, statement);
    expect(await integrityFaults({ engine: "sqlite", file: sample.file })).toEqual([
      `a row of ${table} belongs to no user`,
    ]);
  });
});

describe("a backup", () => {
  test("is a whole database with the same records, documents and keys", async () => {
    await using sample = await Sample.create();
    const { hash, id } = await sample.key();
    const file = sample.folder.file("backup.db");
    await sample.engine.backup.write(file);

    const copy = await engineOf(file).open();
    const at = (file: string) => ({ engine: "sqlite", file }) as const;
    expect(await recordsAt(at(file))).toEqual(await recordsAt(at(sample.file)));
    expect(await copy.keys.of(EMAIL)).toEqual(await sample.store.keys.of(EMAIL));
    expect(await Array.fromAsync(copy.upkeep.discrepancies(() => {}))).toEqual([]);
    expect(await integrityFaults(at(file))).toEqual([]);
    const [here, there] = [new SqliteReader(sample.file), new SqliteReader(file)];
    expect(await there.readDocument(hash, "full", "full")).toEqual(
      await here.readDocument(hash, "full", "full"),
    );
    expect((await here.readDocument(hash, "full", "full"))?.keyId).toBe(id);
    here.close();
    there.close();
    await copy.close();
  });

  describe("where the file system knows no links", () => {
    const link = () => {
      throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
    };

    test("gets its name all the same", async () => {
      using folder = new TemporaryFolder();
      const [unfinished, file] = [folder.file("backup.db.1.unfinished"), folder.file("backup.db")];
      await Bun.write(unfinished, "whole");
      putInPlace(unfinished, file, link);
      expect(readFileSync(file, "utf8")).toBe("whole");
      expect(existsSync(unfinished)).toBe(false);
    });

    test("takes no other file's place", async () => {
      using folder = new TemporaryFolder();
      const [unfinished, file] = [folder.file("backup.db.1.unfinished"), folder.file("backup.db")];
      await Bun.write(unfinished, "whole");
      await Bun.write(file, "precious");
      expect(() => putInPlace(unfinished, file, link)).toThrow(FileExists);
      expect(readFileSync(file, "utf8")).toBe("precious");
    });
  });

  test("that was exchanged for a link gives nobody the file that the link leads to", async () => {
    using folder = new TemporaryFolder();
    const [database, other, copy] = ["vitrine.db", "other", "copy.db"].map((name) => folder.file(name)) as [
      string,
      string,
      string,
    ];
    for (const file of [database, other]) await Bun.write(file, "");
    if (process.getuid?.() === 0) chownSync(database, NOBODY, NOBODY);
    symlinkSync(other, copy);
    giveToOwner(copy, database);
    expect(statSync(other).uid).toBe(process.getuid?.() ?? 0);
    expect(lstatSync(copy).uid).toBe(statSync(database).uid);
  });

  test("holds what was committed while a reader and a writer were at work, and nothing of what was not", async () => {
    await using sample = await Sample.create();
    const { hash } = await sample.key();
    const reader = new SqliteReader(sample.file);
    await reader.readDocument(hash, "full", "full");
    using other = new Database(sample.file);
    other.run("BEGIN IMMEDIATE");
    other.run("DELETE FROM users");
    const file = sample.folder.file("backup.db");
    await sample.engine.backup.write(file);
    other.run("ROLLBACK");
    reader.close();

    const copy = await engineOf(file).open();
    expect(await copy.records.count()).toBe(2);
    await copy.close();
  });

  test("goes on where the original left off: a new user gets a number that nobody had", async () => {
    await using sample = await Sample.create();
    await sample.store.records.delete("person2@example.com");
    const file = sample.folder.file("backup.db");
    await sample.engine.backup.write(file);
    const copy = await engineOf(file).open();
    await copy.records.save([checkedRecord(writtenRecord(3))]);
    await copy.close();
    using database = new Database(file);
    expect(database.query("SELECT number FROM users ORDER BY number").values()).toEqual([[1], [3]]);
  });

  test("does not overwrite a file", async () => {
    await using sample = await Sample.create();
    const file = sample.folder.file("precious.txt");
    await Bun.write(file, "precious");
    await expect(sample.engine.backup.write(file)).rejects.toThrow();
    expect(await Bun.file(file).text()).toBe("precious");
  });
});
