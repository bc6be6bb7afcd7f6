import { describe, expect, test } from "bun:test";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import type { Progress } from "../../src/store/store.ts";
import { rebuild, schemaVersionAt } from "../support/databases.ts";
import type { Engine } from "../support/engines.ts";
import { openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";
import { Turns } from "../support/turns.ts";

/** More than any engine handles in one step. */
const MANY = 1002;

export function upkeepSentences(engine: Engine): void {
  describe(`${engine.name}: upkeep`, () => {
    test("finds a new store sound and at the current version", async () => {
      await using opened = await openStore(engine);
      const { found, expected } = await schemaVersionAt(opened.database.location);
      expect(found).toBe(expected);
      expect(found).toBeGreaterThan(0);
      expect(await opened.integrityFaults()).toEqual([]);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("of an empty store rebuilds nothing", async () => {
      await using opened = await openStore(engine);
      expect(await rebuild(opened.store)).toBe(0);
    });

    test("that rebuilds gives the same bytes and tags", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { hash } = await opened.key();
      const readAll = async () => [
        ...(await Promise.all(DOCUMENT_KINDS.map((kind) => opened.read(hash, kind)))),
        await opened.readTree(hash, "everything-1"),
      ];
      const before = await readAll();
      expect(await rebuild(opened.store)).toBe(2);
      expect(await readAll()).toEqual(before);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("finds nothing of an older version to remove where it is asked again", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await opened.store.upkeep.removeLeftovers();
      expect(await opened.store.upkeep.removeLeftovers()).toBe(false);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("keeps what another connection opens and closes", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const other = await opened.database.openStore();
      expect(await other.records.count()).toBe(1);
      await other.close();
      expect(await opened.store.records.count()).toBe(1);
    });

    test("goes through very many users, each once and in order, and tells how far it is", async () => {
      await using opened = await openStore(engine);
      const written = Array.from({ length: MANY }, (_, index) => writtenRecord(index));
      await opened.save(...written);
      const emails = written.map(({ email }) => email);

      expect(await opened.store.records.count()).toBe(MANY);
      expect((await opened.records()).map(({ email }) => email)).toEqual(emails);
      const users = await Array.fromAsync(opened.store.records.summaries());
      expect(users.map(({ email }) => email)).toEqual(emails);

      const rebuilding: Progress[] = [];
      expect(await rebuild(opened.store, (progress) => rebuilding.push(progress))).toBe(MANY);
      const comparing: Progress[] = [];
      const found = opened.store.upkeep.discrepancies((progress) => comparing.push(progress));
      expect(await Array.fromAsync(found)).toEqual([]);
      for (const steps of [rebuilding, comparing]) {
        expect(steps.length).toBeGreaterThan(1);
        expect(steps.map(({ done }) => done)).toEqual(
          steps.map(({ done }) => done).toSorted((a, b) => a - b),
        );
        expect(steps.at(-1)).toEqual({ done: MANY, total: MANY });
      }
    });

    test("lets the event loop turn after every step, so that signals are heard", async () => {
      await using opened = await openStore(engine);
      await opened.save(...Array.from({ length: MANY }, (_, index) => writtenRecord(index)));
      for (const work of [
        (onProgress: () => void) => rebuild(opened.store, onProgress),
        (onProgress: () => void) => Array.fromAsync(opened.store.upkeep.discrepancies(onProgress)),
      ]) {
        const turns = new Turns();
        await work(() => turns.note());
        expect(turns.afterEach.length).toBeGreaterThan(1);
        expect(turns.afterEach).not.toContain(false);
      }
    });
  });
}
