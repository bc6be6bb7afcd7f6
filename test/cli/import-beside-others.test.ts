import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  done,
  emails,
  expectRefusal,
  load,
  manyPeople,
  ndjson,
  watchUsers,
} from "../support/command-line.ts";
import { type Outcome, Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

const PEOPLE = 12_000;
const LAST = writtenRecord(PEOPLE);

interface Race {
  readonly large: Outcome;
  readonly other: Outcome;
}

/** Imports many, and once the first of them are stored, something else beside them. */
async function race(program: Program, records: string): Promise<Race> {
  await load(program);
  await program.put("people.ndjson", manyPeople(PEOPLE));
  await using users = await watchUsers(program);
  let ended = false;
  const large = program.run(["import", "people.ndjson", "--json"]).finally(() => {
    ended = true;
  });
  await until("a batch to be written", async () => ended || (await users.count()) > 0);
  const other = await program.run(["import", "-"], records);
  return { large: await large, other };
}

describe("a large import, during which another command", () => {
  test("stores some of its people, still stores all the others", async () => {
    using program = new Program();
    const { large, other } = await race(
      program,
      [PEOPLE / 2, PEOPLE * 0.75, PEOPLE].map((number) => manyPeople(1, number)).join(""),
    );
    expect([large.stderr, other.stderr]).toEqual(["", ""]);
    const sums = JSON.parse(large.stdout) as { records: number; created: number; unchanged: number };
    expect(sums.records).toBe(PEOPLE);
    expect(sums.created + sums.unchanged).toBe(PEOPLE);
    expect((await emails(program)).length).toBe(PEOPLE);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("takes a slug from one of its people, is refused with the place, or the other is", async () => {
    using program = new Program();
    const rival = { ...writtenRecord(99_999), linkTrees: LAST.linkTrees };
    const { large, other } = await race(program, ndjson([rival]));
    const winner = other.exitCode === 0 ? rival.email : LAST.email;
    if (other.exitCode === 0) {
      expectRefusal(large, {
        error: /made by another writer during the import; [\d,]+ records before were written$/,
      });
      expect(large.stderr).toContain(
        `people.ndjson: line ${PEOPLE}: linkTrees[0].slug: is already taken by ${rival.email}`,
      );
    } else {
      expectRefusal(other, { error: "2 problems in 1 record; nothing was written" });
      expect(large.exitCode).toBe(0);
    }
    const stored = await emails(program);
    expect(stored.filter((email) => email === rival.email || email === LAST.email)).toEqual([winner]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});
