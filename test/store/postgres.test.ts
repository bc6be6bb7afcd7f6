import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SQL } from "bun";
import { withDeadline } from "../../src/async/maybe-promise.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { DAY_MS } from "../../src/records/days.ts";
import { NoSuchUser } from "../../src/store/access.ts";
import type { Count } from "../../src/store/count-writer.ts";
import { engineAt } from "../../src/store/engines.ts";
import { describeDatabase, type PostgresLocation, parseDatabaseUrl } from "../../src/store/location.ts";
import { MakingReader } from "../../src/store/making-reader.ts";
import {
  ADVISORY_LOCKS,
  openCountConnection,
  openReadOnly,
  openSource,
  openWritable,
} from "../../src/store/postgres/connection.ts";
import { openLasting as openLastingConnections } from "../../src/store/postgres/lasting-connections.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../../src/store/postgres/migrations.ts";
import { PostgresRecords } from "../../src/store/postgres/records.ts";
import type { MadeRendition } from "../../src/store/rendition-writer.ts";
import type { Store } from "../../src/store/store.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import {
  databaseExists,
  integrityFaults,
  openCountWriter,
  openReader,
  openStore,
  rebuild,
} from "../support/databases.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { answerOf } from "../support/opened-store.ts";
import { postgresServer, type TakenDatabase } from "../support/postgres-server.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";
import { makeVersionOne } from "../support/version-one.ts";

setDefaultTimeout(300_000);

const EMAIL = writtenRecord(1).email;

function locationOf(url: string): PostgresLocation {
  const location = parseDatabaseUrl(url);
  if (location?.engine !== "postgres") throw new Error(`not a URL of PostgreSQL: ${url}`);
  return location;
}

/** A way to the same server on which connections are counted, and lost without a word when the test says so. */
function countingRelay(location: PostgresLocation) {
  const url = new URL(location.url);
  const [hostname, port] = [url.hostname, Number(url.port)];
  const counts = { connections: 0, ended: 0 };
  let lost = 0;
  const relay = Bun.listen<{ server: Promise<Bun.Socket> }>({
    hostname,
    port: 0,
    socket: {
      open(client) {
        const number = ++counts.connections;
        const socket = {
          data: (_: Bun.Socket, bytes: Buffer) => void (number > lost && client.write(bytes)),
        };
        client.data = { server: Bun.connect({ hostname, port, socket }) };
      },
      data: async (client, bytes) => void (await client.data.server).write(bytes),
      close: async (client) => {
        counts.ended++;
        (await client.data.server).end();
      },
    },
  });
  url.port = String(relay.port);
  return Object.assign(counts, {
    location: locationOf(url.href),
    loseAll: () => {
      lost = counts.connections;
    },
    [Symbol.dispose]: () => relay.stop(true),
  });
}

function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: Error) => error,
  );
}

if (ENGINES.includes(postgres)) {
  describe("on PostgreSQL", () => {
    let taken: TakenDatabase;
    let location: PostgresLocation;
    /** The superuser's own connection to the same database. */
    let admin: SQL;

    beforeEach(async () => {
      const server = await postgresServer();
      taken = server.takeDatabase();
      location = locationOf(taken.url);
      admin = server.connect(describeDatabase(location).split("/")[1] ?? "");
    }, 300_000);

    afterEach(async () => {
      await admin.close();
      await taken.release();
    });

    /** A store of two people. */
    async function openSample(): Promise<Store & AsyncDisposable> {
      const store = await openStore(location);
      await store.records.save([writtenRecord(1), writtenRecord(2)].map(checkedRecord));
      return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
    }

    /** All that is stored, one text for each table. */
    async function stored(): Promise<Record<string, string>> {
      const tables = [
        "users",
        "keys",
        "answers",
        "public_answers",
        "trees",
        "link_targets",
        "renditions",
        "counts",
        "schema_version",
      ];
      const rows = await Promise.all(
        tables.map((table) => admin.unsafe(`SELECT row::text FROM vitrine.${table} AS row ORDER BY 1`)),
      );
      return Object.fromEntries(tables.map((table, index) => [table, JSON.stringify(rows[index])]));
    }

    async function keyOf(store: Store): Promise<{ hash: Uint8Array; id: string }> {
      const hash = hashKey(mintKey());
      const [info] = await store.keys.create([{ email: EMAIL, hash, name: null, expiresAt: null }]);
      return { hash, id: info?.id ?? "" };
    }

    test("a connection has none of its statements compiled, of whatever kind it is", async () => {
      const opened = await Promise.all([
        openWritable(location),
        openSource(location),
        openReadOnly(location, 1).then(({ sql }) => sql),
        openCountConnection(location).then(({ sql }) => sql),
      ]);
      for (const sql of opened) {
        expect((await sql.unsafe("SHOW jit"))[0]).toEqual({ jit: "off" });
        await sql.close();
      }
    });

    test("a connection says whose it is, or what its URL says", async () => {
      const named = new URL(location.url);
      named.searchParams.set("application_name", "links");
      const nameOf = async (its: PostgresLocation) => {
        const sql = await openWritable(its);
        const [row] = await sql.unsafe("SHOW application_name");
        await sql.close();
        return row.application_name;
      };
      expect(await nameOf(location)).toBe("vitrine");
      expect(await nameOf(locationOf(named.href))).toBe("links");
    });

    test("a command takes as long as it takes, also where the database bounds what other programs do", async () => {
      const bounds = ["statement_timeout", "idle_session_timeout", "idle_in_transaction_session_timeout"];
      const name = describeDatabase(location).split("/")[1];
      for (const bound of bounds) await admin.unsafe(`ALTER DATABASE ${name} SET ${bound} = '5s'`);
      const opened = await Promise.all([openWritable(location), openSource(location)]);
      for (const bound of bounds) await admin.unsafe(`ALTER DATABASE ${name} RESET ${bound}`);
      for (const sql of opened) {
        for (const bound of bounds) expect((await sql.unsafe(`SHOW ${bound}`))[0]).toEqual({ [bound]: "0" });
        await sql.close();
      }
    });

    test("those who write at once wait for each other where transactions are serializable by default", async () => {
      const name = describeDatabase(location).split("/")[1];
      await using sample = await openSample();
      await admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_isolation = serializable`);
      const stores = await Promise.all([1, 2, 3].map(() => openStore(location)));
      const writers = await Promise.all([1, 2, 3].map(() => openCountWriter(location)));
      await admin.unsafe(`ALTER DATABASE ${name} RESET default_transaction_isolation`);
      const counts = [{ userNumber: 1, treeId: "tree", linkId: "", day: "2026-11-15", count: 1 }];
      const rounds = Array.from({ length: 10 }, (_, round) => round);
      await Promise.all([
        ...stores.map(async ({ records }, index) => {
          for (const round of rounds)
            await records.save([{ ...checkedRecord(writtenRecord(1)), codehostId: round * 10 + index }]);
        }),
        ...writers.map(async (writer) => {
          for (const usedAt of rounds) await writer.write({ counts, keyIds: [], usedAt });
        }),
      ]);
      for (const opened of [...stores, ...writers]) await opened.close();
      expect((await sample.counts.since(EMAIL, "")).map(({ count }) => count)).toEqual([30]);
    });

    test("a store is looked for and used by one connection", async () => {
      await (await openStore(location)).close();
      using relay = countingRelay(location);
      const store = await (await engineAt(relay.location)).openExisting();
      expect(await store?.records.count()).toBe(0);
      await store?.close();
      expect(relay.connections).toBe(1);
    });

    test("where there is no schema, no store is found, and no connection stays", async () => {
      using relay = countingRelay(location);
      expect(await (await engineAt(relay.location)).openExisting()).toBeUndefined();
      await until("the connection to end", () => relay.ended === 1);
      expect(relay.connections).toBe(1);
    });

    /** One that nobody uses is closed, and who asks next gets another. */
    async function expectToBeRenewed(sql: SQL): Promise<void> {
      const ask = async () => (await sql.unsafe("SELECT pg_backend_pid() AS pid"))[0].pid as number;
      const pid = await ask();
      await until("the connection to be closed", async () => {
        const found = await admin.unsafe("SELECT FROM pg_stat_activity WHERE pid = $1", [pid]);
        return found.length === 0;
      });
      expect(await ask()).not.toBe(pid);
    }

    describe("a connection that reads", () => {
      test.each([
        "DELETE FROM vitrine.users",
        "UPDATE vitrine.keys SET revoked_at = NULL",
        "INSERT INTO vitrine.trees (slug, id, user_number) VALUES ('x', 'x', 1)",
        "CREATE TABLE vitrine.mine (x int)",
        "DROP TABLE vitrine.keys",
        "TRUNCATE vitrine.counts",
        "UPDATE vitrine.schema_version SET version = 9",
        "SELECT nextval('vitrine.users_number_seq')",
      ])("cannot %s", async (statement) => {
        await using _ = await openSample();
        const before = await stored();
        const connections = await openReadOnly(location, 1);
        expect(await failureOf(connections.run(statement, []))).toMatchObject({ errno: "25006" });
        await connections.sql.close();
        expect(await stored()).toEqual(before);
      });

      test("goes on reading while another holds what it reads locked for writing", async () => {
        await using store = await openSample();
        const { hash } = await keyOf(store);
        const reader = await openReader(location);
        await admin.begin(async (other) => {
          await other.unsafe("DELETE FROM vitrine.users");
          expect((await reader.readDocument(hash, "full", "full"))?.body).not.toBeNull();
        });
        expect(await reader.readDocument(hash, "full", "full")).toBeNull();
        await reader.close();
      });

      test("that fails says that the store is unavailable, and keeps the cause for the log", async () => {
        await using store = await openSample();
        const { hash } = await keyOf(store);
        const reader = await openReader(location);
        await admin.unsafe("DROP TABLE vitrine.trees, vitrine.answers");
        for (const read of [
          () => reader.readDocument(hash, "full", "full"),
          () => reader.readLinkTree(hash, "everything-1", "full"),
          () => reader.readPage("everything-1"),
          () => reader.readLink("everything-1", "x"),
        ]) {
          const failure = await failureOf(Promise.resolve(read()));
          expect(failure).toBeInstanceOf(StoreUnavailable);
          expect(failure.cause).toBeInstanceOf(Error);
        }
        await reader.close();
      });

      test("is closed after a minute without use, before a firewall on the way forgets it, and made anew", async () => {
        await using _ = await openSample();
        const usual = await openReadOnly(location, 1);
        expect(usual.sql.options.idleTimeout).toBe(60_000);
        await usual.sql.close();

        const { sql } = await openReadOnly(location, 3, { idleSeconds: 1 });
        await expectToBeRenewed(sql);
        await sql.close();
      });

      test("asks many things at once, and gives everybody their own answer", async () => {
        await using store = await openSample();
        const people = Array.from({ length: 60 }, (_, index) => writtenRecord(index + 1));
        await store.records.save(people.map(checkedRecord));
        const keys = people.map(({ email }) => ({ email, hash: hashKey(mintKey()) }));
        await store.keys.create(keys.map((key) => ({ ...key, name: null, expiresAt: null })));
        const reader = await openReader(location, 3);
        const questions = Array.from({ length: 1200 }, (_, index) => index % keys.length);
        const answers = await Promise.all(
          questions.map((index) => reader.readDocument(keys[index]?.hash as Uint8Array, "full", "full")),
        );
        const emails = answers.map((answer) => JSON.parse(answerOf(answer)?.text ?? "").email);
        expect(emails).toEqual(questions.map((index) => keys[index]?.email));
        await reader.close();
      });
    });

    describe("a connection that counts", () => {
      test("changes counters and the last use of keys, and nothing else", async () => {
        await using store = await openSample();
        const [one, other] = [await keyOf(store), await keyOf(store)];
        const before = await stored();
        const writer = await openCountWriter(location);
        const count: Count = { userNumber: 1, treeId: "t", linkId: "l", day: "2026-04-12", count: 3 };
        const hostile = "'; DELETE FROM vitrine.users; --";
        await writer.write({
          counts: [count, { ...count, treeId: hostile, linkId: hostile, day: hostile }],
          keyIds: [one.id, hostile],
          usedAt: 5000,
        });
        await writer.close();
        const { counts, keys, ...rest } = await stored();
        const { counts: _, keys: __, ...restBefore } = before;
        expect(rest).toEqual(restBefore);
        expect(counts).toContain("(1,t,l,2026-04-12,3)");
        expect((await store.keys.find(one.id))?.lastUsedAt).toBe(5000);
        expect((await store.keys.find(other.id))?.lastUsedAt).toBeNull();
      });

      test("adds up what one batch names twice", async () => {
        await using store = await openSample();
        const writer = await openCountWriter(location);
        const count: Count = { userNumber: 1, treeId: "t", linkId: "", day: "2026-04-12", count: 3 };
        await writer.write({ counts: [count, { ...count, count: 4 }], keyIds: [], usedAt: 0 });
        await writer.close();
        expect((await store.counts.since(EMAIL, "")).map(({ count }) => count)).toEqual([7]);
      });

      test("gets in nobody's way, in whatever order several count the same", async () => {
        await using store = await openSample();
        const keyIds = [(await keyOf(store)).id, (await keyOf(store)).id];
        const writers = await Promise.all(Array.from({ length: 4 }, () => openCountWriter(location)));
        const counts = [1, 2].flatMap((userNumber) =>
          ["a", "b", "c"].map(
            (treeId): Count => ({ userNumber, treeId, linkId: "", day: "2026-04-12", count: 1 }),
          ),
        );
        const rounds = 25;
        await Promise.all(
          writers.map(async (writer, index) => {
            const turned = index % 2 === 0 ? counts : counts.toReversed();
            const keys = index % 2 === 0 ? keyIds : keyIds.toReversed();
            for (let round = 0; round < rounds; round++)
              await writer.write({ counts: turned, keyIds: keys, usedAt: round });
          }),
        );
        for (const writer of writers) await writer.close();
        const sums = (await store.counts.since(EMAIL, "")).map(({ count }) => count);
        expect(sums).toEqual([1, 1, 1].map(() => writers.length * rounds));
      });

      test("waits for the disk even on a server that does not by default", async () => {
        await admin.unsafe(
          `ALTER DATABASE ${describeDatabase(location).split("/")[1]} SET synchronous_commit = off`,
        );
        const connection = await openCountConnection(location);
        expect((await connection.run("SHOW synchronous_commit", []))[0]).toEqual({
          synchronous_commit: "on",
        });
        await connection.sql.close();
        await admin.unsafe(
          `ALTER DATABASE ${describeDatabase(location).split("/")[1]} RESET synchronous_commit`,
        );
      });
    });

    describe("the queue of announcements", () => {
      test("announces nothing while a save that adds to it is not committed", async () => {
        await using store = await openSample();
        const target = { url: "https://hook.example/", headers: [], body: null, secret: null };
        await store.hooks.add({ ...target, email: EMAIL, events: ["record.changed"] });
        const change = (sql: SQL, codehostId: number) =>
          new PostgresRecords(sql, Date.now).save([{ ...checkedRecord(writtenRecord(1)), codehostId }]);
        const writer = await openCountWriter(location);
        const take = async () =>
          (await writer.hooks.take({ most: 10, mostOfUser: 10, exceptOf: [], delayMs: 0 })).length;
        const sql = await openWritable(location);
        await change(sql, 1);
        await sql.begin(async (inside) => {
          const within = { begin: (work: (sql: SQL) => unknown) => work(inside) };
          await change(Object.assign(inside, within) as unknown as SQL, 2);
          expect(await take()).toBe(0);
        });
        expect(await take()).toBe(1);
        await sql.close();
        await writer.close();
      });
    });

    describe("what a server looks after each minute", () => {
      const MANY = 2000;

      /** How many rows of keys and deliveries were read until now. Who is connected tells of that at the end. */
      async function rowsRead(): Promise<number> {
        const [row] = await admin.unsafe(`
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS count FROM pg_stat_user_tables
          WHERE schemaname = 'vitrine' AND relname IN ('keys', 'deliveries')`);
        return row.count;
      }

      async function connected(): Promise<number[]> {
        const rows = await admin.unsafe(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database()",
        );
        return rows.map(({ pid }: { pid: number }) => pid);
      }

      test("takes no longer with many keys that expire late, and with a long log", async () => {
        const store = await openStore(location);
        await store.records.save([checkedRecord(writtenRecord(1))]);
        const target = { url: "https://hook.example/", headers: [], body: null, secret: null };
        const { id } = await store.hooks.add({ ...target, email: EMAIL, events: ["key.expiring"] });
        await store.close();
        await admin.unsafe(`
          INSERT INTO vitrine.keys (hash, id, user_number, user_id, created_at, expires_at)
          SELECT decode(md5(n::text), 'hex'), n::text, 1, 'user', 0, ${Date.now() + 90 * DAY_MS}
          FROM generate_series(1, ${MANY}) AS n`);
        await admin.unsafe(`
          INSERT INTO vitrine.deliveries
            (id, hook_id, event, details, created_at, state, attempts, due_at, ended_at)
          SELECT n::text, '${id}', 'record.changed', '{}', ${Date.now()}, 'delivered', 1, 0, ${Date.now()}
          FROM generate_series(1, ${MANY}) AS n`);
        const before = await rowsRead();
        const others = await connected();
        const writer = await openCountWriter(location);
        await writer.hooks.sweep();
        expect(await writer.expiringKeys(14 * DAY_MS)).toBe(0);
        const own = new Set(await connected()).difference(new Set(others));
        await writer.close();
        await until("its connections to end", async () => own.isDisjointFrom(new Set(await connected())));
        expect((await rowsRead()) - before).toBeLessThan(MANY / 2);
      });
    });

    describe("a store for a program that stays", () => {
      async function openLasting(place = location): Promise<Store & AsyncDisposable> {
        const store = await (await engineAt(place)).open({ isLasting: true });
        return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
      }

      test("goes on by new connections where all were lost without a word", async () => {
        await using _ = await openSample();
        using relay = countingRelay(location);
        await using store = await openLasting(relay.location);
        expect(await store.records.count()).toBe(2);
        relay.loseAll();
        const count = async () => withDeadline(store.records.count(), 1000);
        expect(await until("an answer", () => count().catch(() => false))).toBe(2);
      });

      test("closes a connection that was not used for long, before a firewall on the way forgets it", async () => {
        await using _ = await openSample();
        const sql = await openLastingConnections(location, 1);
        await expectToBeRenewed(sql);
        await sql.close();
      });

      test("is read while somebody's save waits for an import", async () => {
        await using sample = await openSample();
        await using store = await openLasting();
        const saving = await admin.begin(async (sql) => {
          await sql.unsafe(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.writers})`);
          const save = store.records.save([checkedRecord(writtenRecord(3))]);
          await until("the save waits", async () => {
            const waiting = await sql.unsafe(`
              SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
            return waiting.length > 0;
          });
          expect(await store.records.count()).toBe(2);
          return { save };
        });
        await saving.save;
        expect(await sample.records.count()).toBe(3);
      });
    });

    describe("a user who is deleted", () => {
      const HOOK = { url: "https://hook.example/", headers: [], body: null, secret: null };
      const WANTED = { most: 1, mostOfUser: 1, exceptOf: [], delayMs: 0 };

      /** Deletes the first user, as far as to some locks before others come, and then as a whole. */
      async function deleteAround<Result>(others: () => Promise<Result>, isMet: boolean): Promise<Result> {
        const { result } = await admin.begin(async (sql) => {
          await sql.unsafe("SELECT FROM vitrine.users WHERE number = 1 FOR UPDATE");
          await sql.unsafe("SELECT FROM vitrine.hooks WHERE user_number = 1 FOR UPDATE");
          const result = others();
          result.catch(() => {});
          if (isMet)
            await until("others wait", async () => {
              const waiting = await sql.unsafe(`
                SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
              return waiting.length > 0;
            });
          else await result;
          await sql.unsafe("DELETE FROM vitrine.users WHERE number = 1");
          return { result };
        });
        return result;
      }

      async function openHooked(): Promise<Store & AsyncDisposable> {
        const store = await openSample();
        await store.hooks.add({ ...HOOK, email: EMAIL, events: ["record.changed"] });
        await store.records.save([{ ...checkedRecord(writtenRecord(1)), codehostId: 7 }]);
        return store;
      }

      test("and whose key is rotated meanwhile do not wait for each other in a circle", async () => {
        await using store = await openSample();
        const { id } = await keyOf(store);
        const next = { hash: hashKey(mintKey()), expiresAt: null, oldExpiresAt: Date.now() };
        const failure = await deleteAround(() => failureOf(store.keys.rotate(id, next)), true);
        expect(failure.message).toBe(`no key ${id}`);
      });

      test.each([
        ["key", keyOf],
        ["hook", (store: Store) => store.hooks.add({ ...HOOK, email: EMAIL, events: ["record.changed"] })],
      ])("gets no %s meanwhile", async (_, add) => {
        await using store = await openSample();
        const failure = await deleteAround(() => failureOf(add(store)), true);
        expect(failure).toBeInstanceOf(NoSuchUser);
      });

      test("and whose changes are announced meanwhile do not wait for each other in a circle", async () => {
        await using _ = await openHooked();
        const writer = await openCountWriter(location);
        expect(await deleteAround(async () => writer.hooks.take(WANTED), false)).toEqual([]);
        await writer.close();
      });

      test("and a delivery that fails meanwhile do not wait for each other in a circle", async () => {
        await using _ = await openHooked();
        const writer = await openCountWriter(location);
        const [delivery] = await writer.hooks.take(WANTED);
        const settlement = {
          id: delivery?.id ?? "",
          attempt: 1,
          state: "failed",
          retryMs: 0,
          status: 500,
          fault: null,
          disables: false,
        } as const;
        await deleteAround(async () => writer.hooks.settle(settlement), true);
        await writer.close();
      });
    });

    describe("what is made when it is first asked for", () => {
      test("is not kept of a record that is being replaced meanwhile", async () => {
        await using store = await openSample();
        const made: MadeRendition[] = [];
        const stored = await (await engineAt(location)).openReader();
        const reader = new MakingReader(stored, (it) => made.push(it));
        await reader.readPage("everything-1");
        await reader.close();
        expect(made).toHaveLength(1);
        const writer = await openCountWriter(location);
        const sql = await openWritable(location);
        const isWaiting = `
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        const keeping = await sql.begin(async (inside) => {
          const within = { begin: (work: (sql: SQL) => unknown) => work(inside) };
          const saving = new PostgresRecords(Object.assign(inside, within) as unknown as SQL, Date.now);
          await saving.save([{ ...checkedRecord(writtenRecord(1)), codehostId: 5 }]);
          const kept = Promise.resolve(writer.renditions.keep(made));
          await until("the page waits for the save", async () => (await admin.unsafe(isWaiting)).length > 0);
          return { kept };
        });
        await keeping.kept;
        expect(await admin.unsafe("SELECT kind FROM vitrine.renditions").values()).toEqual([]);
        expect(await Array.fromAsync(store.upkeep.discrepancies(() => {}))).toEqual([]);
        await sql.close();
        await writer.close();
      });
    });

    describe("what only servers of an older version read", () => {
      const LEFTOVERS = ["documents", "link_trees", "pages", "profile_pages", "public_documents"];

      const leftovers = async () => {
        const tables = await admin
          .unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'vitrine' ORDER BY 1")
          .values();
        return tables
          .map(([name]: string[]) => name ?? "")
          .filter((name: string) => LEFTOVERS.includes(name));
      };

      test("stays as it is when the schema is brought up to date, with where links of long trees lead", async () => {
        await makeVersionOne(location, 1);
        await admin.unsafe(MIGRATIONS[1] ?? "").simple();
        await admin.unsafe("UPDATE vitrine.schema_version SET version = 2");
        await admin.unsafe(`
          INSERT INTO vitrine.link_targets
          SELECT 1, id, 'a', '{"long":"https://long.example/"}' FROM vitrine.link_trees WHERE slug = 'everything-1'`);
        const older = [...LEFTOVERS, "link_targets"];
        const rows = async () =>
          Promise.all(older.map((table) => admin.unsafe(`SELECT row::text FROM vitrine.${table} AS row`)));
        const before = await rows();
        expect(await (await engineAt(location)).upgrade()).toBe(2);
        expect(await rows()).toEqual(before);
        const reader = await openReader(location);
        expect(await reader.readLink("everything-1", "long")).toMatchObject({ url: "https://long.example/" });
        await reader.close();
      });

      test("is removed once, and nothing else with it", async () => {
        await makeVersionOne(location, 2);
        await using store = Object.assign(await openStore(location), {
          [Symbol.asyncDispose]: () => store.close(),
        });
        await rebuild(store);
        expect(await leftovers()).toEqual(LEFTOVERS);
        const before = await stored();
        expect(await store.upkeep.removeLeftovers()).toBe(true);
        expect(await leftovers()).toEqual([]);
        expect(await store.upkeep.removeLeftovers()).toBe(false);
        expect(await stored()).toEqual(before);
        expect(await Array.fromAsync(store.upkeep.discrepancies(() => {}))).toEqual([]);
        expect(await integrityFaults(location)).toEqual([]);
      });

      test("is not needed for anything: records are saved, read and deleted without it", async () => {
        await using store = await openSample();
        await store.upkeep.removeLeftovers();
        const { hash } = await keyOf(store);
        await store.records.save([{ ...checkedRecord(writtenRecord(1)), codehostId: 5 }]);
        const reader = await openReader(location);
        const answer = answerOf(await reader.readDocument(hash, "full", "full"));
        expect(JSON.parse(answer?.text ?? "")).toMatchObject({ codehostId: 5 });
        expect(await reader.readPage("everything-1")).not.toBeNull();
        await reader.close();
        expect(await store.records.delete(EMAIL)).toBe(true);
      });
    });

    describe("writers of records", () => {
      test("that save the same people in opposite orders do not wait in a circle", async () => {
        const people = Array.from({ length: 30 }, (_, index) => checkedRecord(writtenRecord(index + 1)));
        const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(location)));
        await Promise.all(
          stores.map(async (store, index) => {
            for (let round = 0; round < 5; round++)
              await store.records.save(
                (index % 2 === 0 ? people : people.toReversed()).map((person) => ({
                  ...person,
                  codehostId: round * 10 + index,
                })),
              );
          }),
        );
        expect(await stores[0]?.records.count()).toBe(people.length);
        expect(await Array.fromAsync(stores[0]?.upkeep.discrepancies(() => {}) ?? [])).toEqual([]);
        for (const store of stores) await store.close();
      });

      test("take users in the order in which those who count take them", async () => {
        await using store = await openSample();
        const renamed = [2, 1].map((number) => {
          const record = writtenRecord(number);
          return checkedRecord({ ...record, profile: { ...record.profile, slug: `renamed-${number}` } });
        });
        // A row that was changed lies behind the others, and would come last without an order.
        await admin.unsafe("UPDATE vitrine.users SET record = record WHERE number = 1");
        const take = (sql: SQL, number: number) =>
          sql.unsafe("SELECT FROM vitrine.users WHERE number = $1 FOR KEY SHARE", [number]);
        const isWaiting = `
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        const saving = await admin.begin(async (counting) => {
          await take(counting, 1);
          const save = store.records.save(renamed);
          await until("the save waits", async () => (await counting.unsafe(isWaiting)).length > 0);
          await take(counting, 2);
          return { save };
        });
        expect(await saving.save).toHaveLength(2);
      });

      test("wait for each other for ten seconds at the most", async () => {
        await using sql = await openWritable(location);
        expect((await sql.unsafe("SHOW lock_timeout"))[0]).toEqual({ lock_timeout: "10s" });
      });

      test("never give the number of a deleted user to another", async () => {
        await using store = await openSample();
        await store.records.delete(writtenRecord(2).email);
        await store.records.save([checkedRecord(writtenRecord(3))]);
        expect(await admin.unsafe("SELECT number::int FROM vitrine.users ORDER BY 1").values()).toEqual([
          [1],
          [3],
        ]);
      });
    });

    describe("what belongs to no user", () => {
      test.each(["keys", "answers", "public_answers", "trees", "renditions", "counts"])(
        "in %s is a fault",
        async (table) => {
          await using store = await openSample();
          await keyOf(store);
          await admin.unsafe("INSERT INTO vitrine.counts VALUES (1, 't', '', '2026-01-01', 1)");
          await admin.unsafe(
            "INSERT INTO vitrine.renditions VALUES (1, 1, 'page', 't', 'x', '', '', '', '')",
          );
          await admin
            .unsafe(
              `SET session_replication_role = replica; UPDATE vitrine.${table} SET user_number = 99 WHERE user_number = 1`,
            )
            .simple();
          expect(await integrityFaults(location)).toEqual([`a row of ${table} belongs to no user`]);
        },
      );
    });

    describe("opening", () => {
      test("makes a schema of its own, and leaves the tables of other programs as they are", async () => {
        await admin
          .unsafe("CREATE TABLE public.users (name text); INSERT INTO public.users VALUES ('soup')")
          .simple();
        const store = await openStore(location);
        await store.records.save([checkedRecord(writtenRecord(1))]);
        await store.records.delete(EMAIL);
        await store.close();
        expect(await admin.unsafe("SELECT name FROM public.users").values()).toEqual([["soup"]]);
        const made = await admin
          .unsafe("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
          .values();
        expect(made).toEqual([["users"]]);
        await admin.unsafe("DROP TABLE public.users");
      });

      test("takes an empty schema that an administrator has made for it", async () => {
        await admin.unsafe("CREATE SCHEMA vitrine");
        await (await openStore(location)).close();
        expect(await databaseExists(location)).toBe(true);
      });

      test("refuses a schema of the same name that another program fills", async () => {
        await admin.unsafe("CREATE SCHEMA vitrine; CREATE TABLE vitrine.recipes (name text)").simple();
        const failure = await failureOf(openStore(location));
        expect(failure).toBeInstanceOf(StoreUnavailable);
        expect(failure.message).toContain("another program");
        expect(await databaseExists(location)).toBe(false);
        const tables = await admin
          .unsafe("SELECT relname FROM pg_class WHERE relnamespace = 'vitrine'::regnamespace")
          .values();
        expect(tables).toEqual([["recipes"]]);
      });

      test("refuses the database of a newer Vitrine, and leaves it as it is", async () => {
        await (await openSample()).close();
        await admin.unsafe("UPDATE vitrine.schema_version SET version = 99");
        const before = await stored();
        const failure = await failureOf(openStore(location));
        expect(failure).toBeInstanceOf(StoreUnavailable);
        expect(failure.message).toContain(
          `schema version 99, and this Vitrine needs version ${SCHEMA_VERSION}`,
        );
        expect(await stored()).toEqual(before);
      });

      test("refuses a database that cannot hold all of Unicode", async () => {
        await admin.unsafe("DROP DATABASE IF EXISTS latin");
        await admin.unsafe("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
        const failure = await failureOf(openStore(locationOf((await postgresServer()).urlOf("latin"))));
        expect(failure).toBeInstanceOf(StoreUnavailable);
        expect(failure.message).toContain("LATIN1");
        await admin.unsafe("DROP DATABASE latin");
      });

      test("opens the database of the URL, whatever the environment says", async () => {
        process.env.PGDATABASE = "nowhere";
        try {
          await (await openStore(location)).close();
        } finally {
          delete process.env.PGDATABASE;
        }
        expect(await databaseExists(location)).toBe(true);
      });

      test.each([
        ["a port where nobody listens", { port: "1" }],
        ["a database that is not there", { pathname: "/nowhere" }],
        ["a user who is not there", { username: "nobody" }],
        ["a server without TLS", { search: "?sslmode=require" }],
      ])("at %s fails with the place, and without the password", async (_, changes) => {
        const url = Object.assign(new URL(location.url), { password: "s3cret", ...changes });
        const there = locationOf(url.href);
        for (const open of [openStore, openReader, openCountWriter, databaseExists]) {
          const failure = await failureOf(open(there));
          expect(failure).toBeInstanceOf(StoreUnavailable);
          expect(failure.message).toStartWith(`cannot open the database ${describeDatabase(there)}: `);
          expect(Bun.inspect(failure)).not.toContain("s3cret");
        }
      });
    });
  });
}
