import { engineAt } from "../../src/store/engines.ts";
import { parseDatabaseUrl } from "../../src/store/location.ts";
import { openStore } from "../support/databases.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/*
 * One of several processes at the same database: says when it is ready, waits until its standard input ends,
 * then opens the store and saves so many records, each in a transaction of its own.
 */
const [url = "", from = "0", count = "0"] = process.argv.slice(2);
process.stdout.write("ready\n");
await Bun.stdin.text();

const location = parseDatabaseUrl(url);
if (!location) throw new Error(`not a URL of a database: ${url}`);
// All of them, and not only those that find none, ask for a schema.
await (await engineAt(location)).upgrade();
const store = await openStore(location);
for (let number = Number(from); number < Number(from) + Number(count); number++) {
  await store.records.save([checkedRecord(writtenRecord(number))]);
}
await store.close();
