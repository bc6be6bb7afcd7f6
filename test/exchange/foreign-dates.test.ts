import { describe, expect, test } from "bun:test";
import { fromJsonResume } from "../../src/exchange/foreign/json-resume.ts";

const CHOICES = { isPublic: false, now: Date.parse("2026-04-12"), email: "ada@example.com" };

async function startOf(startDate: string) {
  const { record, leftOut } = await fromJsonResume({ work: [{ name: "Engines", startDate }] }, CHOICES);
  const [job] = record.jobs as { startDate: string }[];
  return { start: job?.startDate, leftOut };
}

describe("a date of another program", () => {
  test.each([
    ["2020", "2020"],
    ["2020-5", "2020-05"],
    ["2020-5-3", "2020-05-03"],
    ["2020/05", "2020-05"],
    ["2020.05.03", "2020-05-03"],
    ["5/2020", "2020-05"],
    ["05.2020", "2020-05"],
    ["31.12.2019", "2019-12-31"],
    ["Jan 2020", "2020-01"],
    ["Sept. 2020", "2020-09"],
    ["MAY, 2020", "2020-05"],
    ["May-2020", "2020-05"],
    ["May 3, 2020", "2020-05-03"],
    ["3rd May 2020", "2020-05-03"],
    ["2020-05-03T00:00:00.000Z", "2020-05-03"],
    ["2020-05-03T00:00:00+02:00", "2020-05-03"],
    ["2020-05-03 00:00:00", "2020-05-03"],
  ])("may be written as %s", async (written, read) => {
    expect(await startOf(written)).toEqual({ start: read, leftOut: [] });
  });

  test.each([
    ["German", "3. März 2020", "2020-03-03"],
    ["French", "févr. 2020", "2020-02"],
    ["Spanish", "3 de mayo de 2020", "2020-05-03"],
    ["Finnish", "marraskuu 2020", "2020-11"],
    ["Polish", "5 maja 2020", "2020-05-05"],
    ["Russian", "май 2020", "2020-05"],
    ["decomposed French", "août 2020".normalize("NFD"), "2020-08"],
  ])("may name its month in %s", async (_, written, read) => {
    expect(await startOf(written)).toEqual({ start: read, leftOut: [] });
  });

  test.each([
    ["whose month is told by no name", "Marchtober 2020"],
    ["whose month is October in Croatian and November in Polish", "listopad 2020"],
    ["that does not say which number is the day", "01/02/2020"],
    ["that no calendar has", "May 32, 2020"],
    ["with two days", "3 May 4, 2020"],
  ])("%s is listed, and no other is taken for it", async (_, written) => {
    expect(await startOf(written)).toEqual({
      start: undefined,
      leftOut: [
        `work[0].startDate: ${JSON.stringify(written)} is no date that can be read`,
        'work[0]: "Engines" has no start, which a job must have',
      ],
    });
  });
});
