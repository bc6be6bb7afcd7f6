import { describe, expect, test } from "bun:test";
import { type DatabaseLocation, parseDatabaseUrl } from "../../src/store/database-url.ts";
import { buildStore, databaseExists } from "../../src/store/open.ts";
import { prepareFirst } from "../../src/store/prepare.ts";
import type { StoreBuild } from "../../src/store/store.ts";
import type { Engine, TestDatabase } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** More than any engine sends at once. */
const MANY = 1002;

const NOW = Date.parse("2026-04-12T08:30:00.000Z");

function batchOf(...records: readonly unknown[]) {
  return prepareFirst(records.map(checkedRecord), NOW);
}

async function begin(engine: Engine) {
  const database = await engine.create();
  const location = parseDatabaseUrl(database.url) as DatabaseLocation;
  const build = (await buildStore(location)) as StoreBuild;
  return {
    database,
    build,
    isThere: () => databaseExists(location),
    async [Symbol.asyncDispose]() {
      await build.discard();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function emailsIn(database: TestDatabase): Promise<string[]> {
  const store = await database.openStore();
  try {
    expect(await Array.fromAsync(store.discrepancies(() => {}))).toEqual([]);
    return (await Array.fromAsync(store.users())).map(({ email }) => email);
  } finally {
    await store.close();
  }
}

export function buildingSentences(engine: Engine): void {
  describe(`${engine.name}: a store in the making`, () => {
    test("is not there before it is finished, and then holds everybody in order", async () => {
      await using made = await begin(engine);
      const written = Array.from({ length: MANY }, (_, index) => writtenRecord(index));
      for (let first = 0; first < MANY; first += 167) {
        const part = written.slice(first, first + 167);
        const emails = part.map(({ email }) => email);
        expect(await made.build.add(batchOf(...part))).toEqual(
          emails.map((email) => ({ change: "created", email })),
        );
      }
      expect(await made.isThere()).toBe(false);
      expect(await made.build.finish()).toBe(true);
      expect(await emailsIn(made.database)).toEqual(written.map(({ email }) => email));
    });

    test.each([
      ["e-mail address", { ...writtenRecord(2), email: writtenRecord(1).email.toUpperCase() }],
      ["id", { ...writtenRecord(2), id: "first" }],
      ["profile slug", { ...writtenRecord(2), profile: writtenRecord(1).profile }],
      ["slug of a link tree", { ...writtenRecord(2), linkTrees: writtenRecord(1).linkTrees }],
    ])("comes to nothing when somebody has the %s of another", async (_, rival) => {
      await using made = await begin(engine);
      const added =
        (await made.build.add(batchOf({ ...writtenRecord(1), id: "first" }))) &&
        (await made.build.add(batchOf(rival)));
      expect(added !== null && (await made.build.finish())).toBe(false);
      await made.build.discard();
      expect(await made.isThere()).toBe(false);
    });

    test("comes to nothing when two of many have one id, wherever they are", async () => {
      await using made = await begin(engine);
      const people = Array.from({ length: MANY }, (_, index) => writtenRecord(index));
      const added = async () => {
        for (const twice of [0, 400, MANY - 1])
          if (!(await made.build.add(batchOf({ ...people[twice], id: "same" })))) return false;
        for (let first = 1; first < MANY - 1; first += 300) {
          const others = people
            .slice(first, Math.min(first + 300, MANY - 1))
            .filter((_, at) => first + at !== 400);
          if (!(await made.build.add(batchOf(...others)))) return false;
        }
        return true;
      };
      expect((await added()) && (await made.build.finish())).toBe(false);
      await made.build.discard();
      expect(await made.isThere()).toBe(false);
    });

    test("leaves nothing behind when it is given up while it is being written", async () => {
      await using made = await begin(engine);
      await made.build.add(batchOf(...Array.from({ length: MANY }, (_, index) => writtenRecord(index))));
      await made.build.discard();
      expect(await made.isThere()).toBe(false);
    });

    test("leaves nothing behind when it is given up", async () => {
      await using made = await begin(engine);
      await made.build.add(batchOf(writtenRecord(1)));
      await made.build.discard();
      expect(await made.isThere()).toBe(false);
      expect(await emailsIn(made.database)).toEqual([]);
    });

    test("takes records and keys like any other once it is finished", async () => {
      await using made = await begin(engine);
      await made.build.add(batchOf(writtenRecord(1), writtenRecord(2)));
      await made.build.finish();
      const store = await made.database.openStore();
      expect(await store.save([writtenRecord(1), writtenRecord(3)].map(checkedRecord))).toEqual([
        { change: "unchanged", email: writtenRecord(1).email },
        { change: "created", email: writtenRecord(3).email },
      ]);
      expect(await store.deleteUser(writtenRecord(2).email)).toBe(true);
      expect(await store.integrityFaults()).toEqual([]);
      await store.close();
    });
  });
}
