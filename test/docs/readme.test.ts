import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { HEALTH_PATH, READY_PATH, ROUTES } from "../../src/contract/routes.ts";
import { SETTINGS } from "../../src/settings.ts";
import { code, firstTable, readFile, sectionOf } from "./markdown.ts";

const readme = readFile("README.md");

/** What is read in half a minute, and then looked up. */
const MAX_LINES = 200;

describe("the README", () => {
  test("is short", () => {
    expect(readme.split("\n").length).toBeLessThan(MAX_LINES);
  });

  test("shows four pictures of what people get before anything else, two more of the studio, and one of the benchmarks", () => {
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
    expect(pictures.map((file) => file.split("/")[0])).toEqual([...Array(6).fill("docs"), "bench"]);
    expect(pictures.filter((file) => !existsSync(file))).toEqual([]);
    expect(readme.indexOf(pictures[3] ?? "")).toBeLessThan(readme.indexOf("## "));
  });

  test("lists exactly the routes of the API, with what they return and their limits", () => {
    const limits = { full: SETTINGS.limitFull.fallback, default: SETTINGS.limitDefault.fallback };
    const rows = firstTable(sectionOf(readme, "Endpoints")).map((row) => ({
      path: code(row.Path ?? ""),
      summary: row["What it returns"],
      limit: row["Requests a minute"],
    }));
    expect(rows).toEqual(ROUTES.map(({ path, summary, limit }) => ({ path, summary, limit: limits[limit] })));
  });

  test("names the paths of the health checks", () => {
    expect(sectionOf(readme, "Endpoints")).toContain(`\`GET ${HEALTH_PATH}\``);
    expect(sectionOf(readme, "Endpoints")).toContain(`\`GET ${READY_PATH}\``);
  });

  test("says how to run it and how to test it with scripts that exist", () => {
    const { scripts } = JSON.parse(readFile("package.json")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )\w+)/g)].map((match) => match[1]);
    expect(named).toContain("start");
    expect(named).toContain("test");
    for (const name of named) expect(Object.keys(scripts)).toContain(name ?? "");
  });
});
