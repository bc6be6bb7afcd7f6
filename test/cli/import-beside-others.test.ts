import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, emails, expectRefusal, fewerPeople, load } from "../support/command-line.ts";
import { Gate } from "../support/gate.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const PEOPLE = 800;

/** One whose part is prepared long before the last, and committed after others. */
const MIDDLE = PEOPLE * 0.6;

const END_OF_INPUT = "\x04";

function summaryIn(screen: string): string | undefined {
  return /[\d,]+ records: [\d,]+ created, [\d,]+ updated, [\d,]+ unchanged/.exec(screen)?.[0];
}

describe("a large import, during which another command", () => {
  test("stores some of its people, finds these unchanged and stores all the others", async () => {
    using program = new Program();
    await load(program);
    await program.put("people.ndjson", fewerPeople(PEOPLE));
    // The bar comes up when the first part is prepared. Then the import waits for its input from the terminal.
    const others: string[] = [];
    const { screen, exitCode } = await program.runOnTerminal(["import", "people.ndjson", "-"], {
      question: "records",
      answer: async () => {
        others.push(
          await done(program, ["import", "--json", "-"], fewerPeople(3)),
          ...(await emails(program)),
        );
        return END_OF_INPUT;
      },
    });
    expect(screen).toMatch(/^\r\S+Checking \S+ \d+% [\d,]{2,} records/);
    expect(JSON.parse(others[0] ?? "")).toMatchObject({ records: 3, created: 3 });
    // Nothing was written yet, and all three had been prepared as people to create.
    expect(others.slice(1)).toEqual([1, 2, 3].map((number) => writtenRecord(number).email));
    expect(summaryIn(screen)).toBe("800 records: 797 created, 0 updated, 3 unchanged");
    // What came from the terminal had no record, which is a warning.
    expect(exitCode).toBe(1);
    expect((await emails(program)).length).toBe(PEOPLE);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("takes a slug from one of its people, is refused with the place", async () => {
    using program = new Program();
    await load(program);
    await program.put("people.ndjson", fewerPeople(PEOPLE));
    const gate = new Gate(program.folder.file("gate.ndjson"));
    const large = program.run(["import", "people.ndjson", "gate.ndjson"]);
    await gate.reached();
    const rival = { ...writtenRecord(99_999), linkTrees: writtenRecord(MIDDLE).linkTrees };
    await load(program, rival);
    gate.open();
    const outcome = await large;
    expectRefusal(outcome, {
      error:
        /^2 problems in 1 record, made by another writer during the import; [\d,]+ records before were written$/,
    });
    expect(outcome.stderr).toMatch(
      new RegExp(`^people\\.ndjson: line ${MIDDLE}, column \\d+: linkTrees\\[0\\]\\.slug: is `, "m"),
    );
    expect(outcome.stderr).toContain(`slug: is already taken by ${rival.email}`);
    const stored = await emails(program);
    const written = Number(/; ([\d,]+) records before/.exec(outcome.stderr)?.[1]?.replaceAll(",", ""));
    expect(stored).toEqual([
      rival.email,
      ...Array.from({ length: written }, (_, index) => writtenRecord(index + 1).email),
    ]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});

test("two large imports into a new database at once both arrive, and whom both have is there once", async () => {
  using program = new Program();
  const HALF = PEOPLE / 2;
  const imports = await Promise.all(
    [1, HALF / 2].map(async (first, index) => {
      await program.put(`people-${index}.ndjson`, fewerPeople(HALF, first));
      const gate = new Gate(program.folder.file(`gate-${index}.ndjson`));
      const outcome = program.run(["import", "--json", `people-${index}.ndjson`, `gate-${index}.ndjson`]);
      await gate.reached();
      return { gate, outcome };
    }),
  );
  for (const { gate } of imports) gate.open();
  const outcomes = await Promise.all(imports.map(({ outcome }) => outcome));
  expect(outcomes.map(({ stderr }) => stderr)).toEqual(
    [0, 1].map((index) => `Warning: there is no record in gate-${index}.ndjson\n`),
  );
  const sums = outcomes.map(({ stdout }) => JSON.parse(stdout) as { created: number; unchanged: number });
  const all = HALF + HALF / 2 - 1;
  expect(sums.map(({ created, unchanged }) => created + unchanged)).toEqual([HALF, HALF]);
  expect(sums.reduce((sum, { created }) => sum + created, 0)).toBe(all);
  const stored = await emails(program);
  expect(new Set(stored)).toEqual(
    new Set(Array.from({ length: all }, (_, index) => writtenRecord(index + 1).email)),
  );
  expect(stored.length).toBe(all);
  expect(await done(program, ["doctor"])).toEndWith("All is well.");
});
