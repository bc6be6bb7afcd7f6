import { describe, expect, test } from "bun:test";
import { integrityFaults, schemaVersionAt } from "../support/databases.ts";
import type { Engine } from "../support/engines.ts";
import { openStore } from "../support/opened-store.ts";
import { runTogether } from "./processes.ts";

const SUCCEEDED = { exitCode: 0, output: "" };

export function processSentences(engine: Engine): void {
  describe(`${engine.name}: several processes`, () => {
    test("that open a fresh database at once make its schema once", async () => {
      for (let round = 0; round < 3; round++) {
        await using database = await engine.create();
        const outcomes = await runTogether(Array.from({ length: 10 }, () => [database.url]));
        expect(outcomes).toEqual(Array.from({ length: 10 }, () => SUCCEEDED));
        const { found, expected } = await schemaVersionAt(database.location);
        expect(found).toBe(expected);
        expect(await integrityFaults(database.location)).toEqual([]);
      }
    }, 300_000);

    test("that write at once all succeed, and leave records and documents that agree", async () => {
      await using opened = await openStore(engine);
      const [processes, each] = [4, 25];
      const outcomes = await runTogether(
        Array.from({ length: processes }, (_, index) => [
          opened.database.url,
          String(10 + index * each),
          String(each),
        ]),
      );
      expect(outcomes).toEqual(Array.from({ length: processes }, () => SUCCEEDED));
      expect(await opened.store.records.count()).toBe(processes * each);
      expect(await opened.discrepancies()).toEqual([]);
      expect(await opened.integrityFaults()).toEqual([]);
    }, 300_000);

    test("that save the same records at once leave each of them once", async () => {
      await using opened = await openStore(engine);
      const outcomes = await runTogether(Array.from({ length: 4 }, () => [opened.database.url, "10", "15"]));
      expect(outcomes).toEqual(Array.from({ length: 4 }, () => SUCCEEDED));
      expect(await opened.store.records.count()).toBe(15);
      expect(await opened.discrepancies()).toEqual([]);
    }, 300_000);
  });
}
