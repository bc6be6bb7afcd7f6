import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { VIEWS } from "../../src/contract/access.ts";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import type { Problem } from "../../src/records/problems.ts";
import { checkRecord, type RecordInput } from "../../src/records/schema.ts";
import { answersOf, textOf } from "../support/answers.ts";
import { anyMutatedRecord, anyRecord } from "../support/arbitraries.ts";
import { seconds } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { answerOf, type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

interface Dated {
  readonly isCurrent: boolean;
  readonly startDate?: string;
}

/** The written record in the order that it is kept in; its own where two are of one time. */
function inOrder(input: RecordInput, now: number): RecordInput {
  const start = ({ startDate }: Dated) => (startDate ? Date.parse(startDate) : Number.MIN_SAFE_INTEGER);
  const newestFirst = (one: Dated, other: Dated) =>
    Number(other.isCurrent) - Number(one.isCurrent) || start(other) - start(one);
  const createdAt = ({ createdAt, updatedAt }: RecordInput["linkTrees"][number]) =>
    createdAt ? Date.parse(createdAt) : Math.min(now, updatedAt ? Date.parse(updatedAt) : now);
  return {
    ...input,
    jobs: input.jobs.toSorted(newestFirst),
    projects: input.projects.toSorted(newestFirst),
    linkTrees: input.linkTrees.toSorted((one, other) => createdAt(one) - createdAt(other)),
    education: input.education.toSorted(newestFirst),
  };
}

/** Reads every answer of a user in every view through the store, and holds it against what the record compiles to. */
async function expectAnswers(opened: OpenedStore, email: string): Promise<void> {
  for (const view of VIEWS) {
    const { hash } = await opened.key({ email, view });
    const { byKind, bySlug } = answersOf(await opened.record(email), view);
    for (const kind of DOCUMENT_KINDS) {
      const { etag, body } = byKind[kind];
      expect(answerOf(await opened.read(hash, kind, view))).toEqual({ etag, text: textOf(body) });
    }
    for (const [slug, { etag, body }] of bySlug)
      expect(answerOf(await opened.readTree(hash, slug, view))).toEqual({ etag, text: textOf(body) });
  }
}

async function deleteAll({ store }: OpenedStore): Promise<void> {
  for await (const { email } of store.records.summaries()) await store.records.delete(email);
}

for (const engine of ENGINES) {
  describe(`${engine.name}: any valid record`, () => {
    test("survives saving, reading and exporting unchanged", async () => {
      await using opened = await openStore(engine);
      await fc.assert(
        fc.asyncProperty(anyRecord, async (written) => {
          await deleteAll(opened);
          const input = checkedRecord(written);
          await opened.store.records.save([input]);
          const stored = await opened.record(input.email);
          expect(stored).toMatchObject(inOrder(input, opened.clock.now()));
          await expectAnswers(opened, input.email);

          const [exported] = await opened.records();
          expect(JSON.stringify(exported)).toBe(JSON.stringify(stored));
          expect(await opened.save(exported)).toEqual([{ change: "unchanged", email: input.email }]);
          expect(await opened.save(written)).toEqual([{ change: "unchanged", email: input.email }]);

          await opened.store.records.delete(input.email);
          opened.clock.advance(seconds(1));
          await opened.save(exported);
          expect(JSON.stringify(await opened.records())).toBe(JSON.stringify([stored]));
        }),
        { numRuns: 40 },
      );
    }, 300_000);

    test("can become any other, and leaves nothing behind that the other does not say", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      await fc.assert(
        fc.asyncProperty(anyRecord, async (written) => {
          opened.clock.advance(seconds(1));
          await opened.save({ ...written, email: "person1@example.com" });
          await expectAnswers(opened, "person1@example.com");
          expect(await opened.discrepancies()).toEqual([]);
          expect(await opened.store.records.count()).toBe(1);
        }),
        { numRuns: 25 },
      );
    }, 300_000);
  });

  describe(`${engine.name}: any change to a valid record`, () => {
    /** As an import does: everything is checked before anything is saved. */
    async function importAll(opened: OpenedStore, written: unknown[]): Promise<readonly Problem[]> {
      const problems = written.flatMap((value) => {
        const checked = checkRecord(value);
        return "problems" in checked ? checked.problems : [];
      });
      if (problems.length > 0) return problems;
      return (await opened.refusals(...written)).map(({ problem }) => problem);
    }

    /** A problem lies where the record was changed, or where something refers to that or must differ from it. */
    function isNear(problem: Problem, place: string): boolean {
      return (
        problem.place.startsWith(place) ||
        place.startsWith(problem.place) ||
        /^(?:id|email)$|\.(?:id|slug|userId|jobId|endDate)$/.test(problem.place)
      );
    }

    test("is either valid or refused with a place, and then nothing is written", async () => {
      await using opened = await openStore(engine);
      const outcomes = { saved: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(anyMutatedRecord, async ({ place, record }) => {
          await deleteAll(opened);
          await opened.save(writtenRecord(1));
          const before = JSON.stringify(await opened.records());
          const problems = await importAll(opened, [writtenRecord(2), record]);
          if (problems.length > 0) {
            outcomes.refused++;
            for (const { message } of problems) expect(message).not.toBe("");
            expect(problems.filter((problem) => problem.place === "")).toEqual([]);
            expect(problems.filter((problem) => !isNear(problem, place))).toEqual([]);
            expect(JSON.stringify(await opened.records())).toBe(before);
          } else {
            outcomes.saved++;
            expect(await opened.discrepancies()).toEqual([]);
          }
        }),
        { numRuns: 120 },
      );
      expect(outcomes.saved).toBeGreaterThan(5);
      expect(outcomes.refused).toBeGreaterThan(30);
    }, 300_000);
  });
}
