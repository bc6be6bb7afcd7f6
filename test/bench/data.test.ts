import { describe, expect, test } from "bun:test";
import { benchRecord } from "../../bench/data.ts";
import { checkedRecord } from "../support/records.ts";

describe("the records of the benchmark", () => {
  test.each([{}, { half: true }, { links: 10 }])("are good, of the shape %j too", (shape) => {
    expect(checkedRecord(benchRecord(1, shape)).email).toBe("user1@example.com");
  });

  test("have link trees of different times, so that all contenders agree on their order", () => {
    const times = benchRecord(1).linkTrees.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(times.length).toBe(2);
  });

  test("have half of everything where that is asked for", () => {
    const { jobs, projects, linkTrees, education } = benchRecord(1, { half: true });
    expect([jobs, projects, linkTrees, education].map(({ length }) => length)).toEqual([2, 2, 1, 1]);
  });
});
