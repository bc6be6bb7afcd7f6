import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { done, emails, manyPeople } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

const PEOPLE = 12_000;

/** A batch is about so many of these people at the least; anything smaller that shows is a torn one. */
const LEAST_BATCH = 500;

test("an import that is killed leaves whole batches, sound documents, and can be run again", async () => {
  using program = new Program();
  await program.put("people.ndjson", manyPeople(PEOPLE));
  const child = program.spawn(["import", "people.ndjson"]);
  const seen = await killInTheMiddle(child, program.folder.file("vitrine.db"));

  const left = await emails(program);
  expect(left.length).toBeLessThan(PEOPLE);
  expect(left).toEqual(Array.from({ length: left.length }, (_, index) => writtenRecord(index + 1).email));
  const steps = [0, ...seen, left.length].map((count, index, counts) => count - (counts[index - 1] ?? 0));
  for (const step of steps.filter((size) => size !== 0)) expect(step).toBeGreaterThanOrEqual(LEAST_BATCH);
  expect(await done(program, ["doctor"])).toEndWith("All is well.");

  const again = JSON.parse(await done(program, ["import", "people.ndjson", "--json"])) as unknown;
  expect(again).toEqual({
    dryRun: false,
    records: PEOPLE,
    created: PEOPLE - left.length,
    updated: 0,
    unchanged: left.length,
  });
  expect((await emails(program)).length).toBe(PEOPLE);
  expect(await done(program, ["doctor"])).toEndWith("All is well.");
});

/** Watches the database from outside, kills the writer once some are there, and returns the numbers it saw. */
async function killInTheMiddle(child: ReturnType<Program["spawn"]>, file: string): Promise<number[]> {
  const seen: number[] = [];
  await until("the database to be made", () => existsSync(file));
  using database = await until("the database to be readable", () => openWhenReady(file));
  const count = database.query<{ count: number }, []>("SELECT count(*) AS count FROM users");
  await until("a batch to be written", () => {
    const users = count.get()?.count ?? 0;
    if (users > 0) seen.push(users);
    return seen.length > 0;
  });
  child.kill("SIGKILL");
  await child.exited;
  return seen;
}

/** Until the writer has made its tables there is nothing to look at. */
function openWhenReady(file: string): Database | undefined {
  const database = new Database(file, { readonly: true });
  try {
    database.query("SELECT count(*) FROM users").get();
    return database;
  } catch {
    database.close();
    return undefined;
  }
}
