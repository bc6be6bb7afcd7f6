import { expect, setDefaultTimeout, test } from "bun:test";
import { done, emails, load, manyPeople, watchUsers } from "../support/command-line.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const PEOPLE = 2_400;

/** A batch is about so many of these people at the least; anything smaller that shows is a torn one. */
const LEAST_BATCH = 200;

const KEPT =
  /^Interrupted: at least [\d,]+ of 2,400 records are saved\. Run the same command again for the rest\.\n$/;

/** One on each engine, since both end in the middle of what the database is doing. */
const END =
  engineInUse() === sqlite
    ? ({ is: "killed", signal: "SIGKILL", exitCode: 137, says: /^$/ } as const)
    : ({ is: "interrupted", signal: "SIGINT", exitCode: 130, says: KEPT } as const);

test(`an import that is ${END.is} leaves whole batches, sound documents, and can be run again`, async () => {
  using program = new Program();
  await program.put("people.ndjson", manyPeople(PEOPLE));
  const seen = await importAndEndInTheMiddle(program);

  const left = await emails(program);
  expect(left.length).toBeLessThan(PEOPLE);
  expect(left).toEqual(Array.from({ length: left.length }, (_, index) => writtenRecord(index + 1).email));
  expect(seen).toBeGreaterThanOrEqual(LEAST_BATCH);
  if (left.length !== seen) expect(left.length - seen).toBeGreaterThanOrEqual(LEAST_BATCH);
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

/** Watches the database from outside, ends the writer once some are there, and returns how many those were. */
async function importAndEndInTheMiddle(program: Program): Promise<number> {
  await load(program);
  await using users = await watchUsers(program);
  const child = program.spawn(["import", "people.ndjson"]);
  const seen = await until("a batch to be written", async () => {
    if (child.exitCode !== null) throw new Error(`the import ended by itself with ${child.exitCode}`);
    return (await users.count()) || undefined;
  });
  child.kill(END.signal);
  expect(await new Response(child.stderr).text()).toMatch(END.says);
  expect(await child.exited).toBe(END.exitCode);
  return seen;
}
