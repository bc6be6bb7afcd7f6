import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { anyRecord, anyText } from "../support/arbitraries.ts";
import { everythingIn, putEverything } from "../support/contents.ts";
import { ENGINES } from "../support/engines.ts";
import { type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord } from "../support/records.ts";

async function deleteAll({ store }: OpenedStore): Promise<void> {
  for await (const { email } of store.records.summaries()) await store.records.delete(email);
}

for (const from of ENGINES) {
  for (const to of ENGINES) {
    test(`${from.name} to ${to.name}: any record and any name of a key arrive as they were`, async () => {
      await using source = await openStore(from);
      await using target = await openStore(to);
      await fc.assert(
        fc.asyncProperty(anyRecord, anyText(200), async (written, name) => {
          await deleteAll(source);
          await deleteAll(target);
          const input = checkedRecord(written);
          await source.store.records.save([input]);
          const hash = hashKey(mintKey());
          await source.store.keys.create([{ email: input.email, hash, name, expiresAt: null }]);
          const all = await everythingIn(source.database);
          await putEverything(target.database, all);
          expect(await everythingIn(target.database)).toEqual(all);
          expect(await target.discrepancies()).toEqual([]);
          expect(await target.record(input.email)).toEqual(await source.record(input.email));
        }),
        { numRuns: 12 },
      );
    }, 300_000);
  }
}
