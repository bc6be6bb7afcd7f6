import { expect, setDefaultTimeout, test } from "bun:test";
import { type ImportProgress, importRecords } from "../../src/exchange/import.ts";
import { ImportRefused, type PlacedProblem } from "../../src/exchange/problems.ts";
import { engineAt } from "../../src/store/engines.ts";
import { fewerPeople } from "../support/command-line.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

setDefaultTimeout(300_000);

const PEOPLE = 1_200;

test("an array of very many records is written in several transactions, and says how far it is", async () => {
  using folder = new TemporaryFolder();
  const people = fewerPeople(PEOPLE).trimEnd().split("\n");
  await Bun.write(folder.file("people.json"), `[${people}]`);
  const seen: ImportProgress[] = [];
  const summary = await importRecords([folder.file("people.json")], {
    database: { engine: "sqlite", file: folder.file("vitrine.db") },
    isDryRun: false,
    onProblem: ({ record, problem }) => expect.unreachable(`${record}: ${problem.message}`),
    onProgress: (progress) => seen.push(progress),
    onWaiting: () => {},
  });
  expect(summary).toMatchObject({ records: PEOPLE, counts: { created: PEOPLE, updated: 0, unchanged: 0 } });
  expect(summary.first.length).toBe(20);

  const { checking = [], importing = [] } = Object.groupBy(seen, ({ phase }) => phase);
  expect(seen).toEqual([...checking, ...importing]);
  expect(importing.length).toBeGreaterThan(2);
  expect(Math.max(...steps(importing))).toBeLessThan(PEOPLE / 2);
  for (const phase of [checking, importing]) {
    // Importing says that it begins before anything is done.
    expect(
      steps(phase)
        .slice(1)
        .every((step) => step > 0),
    ).toBe(true);
    expect(phase.at(-1)).toMatchObject({ records: PEOPLE });
  }
  expect(importing.at(-1)).toMatchObject({ done: PEOPLE, total: PEOPLE });
});

test("what another writer takes while an import checks is told with line, column and the line itself", async () => {
  using folder = new TemporaryFolder();
  const database = { engine: "sqlite", file: folder.file("vitrine.db") } as const;
  const engine = await engineAt(database);
  await engine.upgrade();
  const rival = await engine.open();
  const slug = "profile:\n  isPublic: true\n  slug: ";
  const [yaml, ndjson] = [folder.file("a.yaml"), folder.file("b.ndjson")];
  await Bun.write(yaml, `email: a@b.example\n${slug}first\n---\nemail: b@b.example\n${slug}taken\n`);
  const [one, taken] = [writtenRecord(1), writtenRecord(2)];
  await Bun.write(ndjson, `${JSON.stringify(one)}\n${JSON.stringify(taken)}\n`);

  const told: PlacedProblem[] = [];
  let isTaken = false;
  const imported = importRecords([yaml, ndjson], {
    database,
    isDryRun: false,
    onProblem: (problem) => told.push(problem),
    onProgress: ({ phase, done, total }) => {
      if (isTaken || phase !== "checking" || done < total) return;
      isTaken = true;
      const slugs = ["taken", taken.profile.slug];
      const rivals = slugs.map((slug, index) => ({
        ...writtenRecord(10 + index),
        profile: { isPublic: true, slug },
      }));
      rival.records.save(rivals.map(checkedRecord));
    },
    onWaiting: () => {},
  });
  await expect(imported).rejects.toBeInstanceOf(ImportRefused);
  await rival.close();
  expect(told.map(({ problem, position }) => [problem.place, position])).toEqual([
    ["profile.slug", { line: 9, column: 9, text: "  slug: taken" }],
    [
      "profile.slug",
      { line: 2, column: JSON.stringify(taken).indexOf('"slug":') + 8, text: JSON.stringify(taken) },
    ],
  ]);
});

function steps(phase: readonly ImportProgress[]): number[] {
  return phase.map(({ done }, index) => done - (phase[index - 1]?.done ?? 0));
}
