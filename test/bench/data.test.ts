import { describe, expect, test } from "bun:test";
import { benchRecord } from "../../bench/data.ts";
import { checkedRecord } from "../support/records.ts";

const DESCRIPTION =
  "Airport that to exhibition our, is in bug between under out only were a or. In up hired, of cover by as up index by they for at the of colleagues. That set their had common her that, can using is never.";

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

  test.each([
    ["7.3", {}],
    ["3.9", { half: true }],
  ])("are of the %s KB that the targets are stated for, on average", (kilobytes, shape) => {
    const texts = Array.from({ length: 500 }, (_, user) => JSON.stringify(benchRecord(user + 1, shape)));
    const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    expect((bytes / 1000).toFixed(1)).toBe(kilobytes);
  });

  test("are the same in every run", () => {
    expect(benchRecord(42)).toEqual(benchRecord(42));
    expect(benchRecord(42).jobs[0]?.description).toBe(DESCRIPTION);
  });
});

describe("the prose of the benchmark", () => {
  const texts = Array.from({ length: 300 }, (_, user) => benchRecord(user + 1)).flatMap(
    ({ profile, jobs, projects }) => [
      profile.summary.value ?? "",
      ...[...jobs, ...projects].map(({ description }) => description),
    ],
  );
  const words =
    texts
      .join(" ")
      .toLowerCase()
      .match(/[a-z']+/g) ?? [];
  const counts = [...Map.groupBy(words, (word) => word).values()]
    .map(({ length }) => length)
    .toSorted((one, other) => other - one);

  test("differs from text to text", () => {
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("uses some words often and most seldom, as people do", () => {
    expect(counts.length).toBeGreaterThan(700);
    const share = (some: number) =>
      counts.slice(0, some).reduce((sum, count) => sum + count, 0) / words.length;
    expect(share(10)).toBeGreaterThan(0.2);
    expect(share(10)).toBeLessThan(0.4);
    expect(share(100)).toBeGreaterThan(0.55);
    expect(share(100)).toBeLessThan(0.8);
  });

  test("has sentences of many lengths", () => {
    const lengths = texts.flatMap((text) => text.split(". ")).map((sentence) => sentence.split(" ").length);
    expect(new Set(lengths).size).toBeGreaterThan(12);
  });

  test("cannot be compressed to less than a third and a bit of it", () => {
    const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
    const packed = sum(texts.map((text) => Bun.gzipSync(Buffer.from(text)).length));
    expect(packed / sum(texts.map(({ length }) => length))).toBeGreaterThan(0.4);
  });
});
