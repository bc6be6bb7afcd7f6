import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkAnswers } from "../../bench/check.ts";
import { CONTENDERS, type Contender, VITRINE } from "../../bench/contenders.ts";
import { buildDataset, type Dataset } from "../../bench/dataset.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const folder = new TemporaryFolder();
let data: Dataset;
beforeAll(async () => {
  data = await buildDataset(folder.path, 3);
}, 300_000);
afterAll(() => folder[Symbol.dispose]());

function contender(wanted: string): Contender {
  return CONTENDERS.find(({ name }) => name === wanted) as Contender;
}

/** Vitrine with something changed, as a contender that is not what it should be. */
function changed(environment: Record<string, string>): Contender {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return {
    ...VITRINE,
    title: "another",
    async start(data, port, encoding) {
      const { command, log } = await VITRINE.start(data, port, encoding);
      return { command: ["env", ...settings, ...command], log: `${log}.other` };
    },
  };
}

describe("before anything is timed", () => {
  test("Vitrine itself passes the check", () => checkAnswers(changed({}), data), 60_000);

  test("a responder with one answer passes for the user whose answer it has", async () => {
    await contender("constant-bun").prepare(data);
    await checkAnswers(contender("constant-bun"), data);
  }, 300_000);

  test("one that has the same answer for everybody is found out", async () => {
    const impostor: Contender = { ...contender("constant-bun"), checks: "key" };
    await impostor.prepare(data);
    expect(checkAnswers(impostor, data)).rejects.toThrow(
      "answers /user/full of user 2 differently from Vitrine",
    );
  }, 300_000);

  test("one that holds another limit is found out", () => {
    expect(checkAnswers(changed({ LIMIT_FULL: "31" }), data)).rejects.toThrow(
      "answers request 31 of a minute with 200",
    );
  }, 300_000);
});

describe("data that was built", () => {
  test("is there for the next run", async () => {
    const again = await buildDataset(folder.path, 3);
    expect(again.keys()).toEqual(data.keys());
  });

  test("has a key for each user", () => {
    expect(new Set(data.keys()).size).toBe(3);
  });
});
