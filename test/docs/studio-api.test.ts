import { describe, expect, test } from "bun:test";
import { FAULT_STATUS, STUDIO_ROUTES, type StudioRoute } from "../../src/studio/contract.ts";
import { STUDIO_LIMITS } from "../../src/studio/steps/limit.ts";
import { code, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/studio-api.md");

describe("docs/studio-api.md", () => {
  test("lists exactly the routes of the studio, and who may call each", () => {
    const rows = firstTable(sectionOf(page, "The studio's own API")).map((row) => [
      code(row.Name ?? ""),
      row.Method,
      code(row.Path ?? ""),
      row.Who,
      row["Counted as"],
      row.Body,
      row.Answer,
    ]);
    const routes = Object.entries(STUDIO_ROUTES) as [string, StudioRoute][];
    expect(rows).toEqual(
      routes.map(([name, { method, path, who, limit, takes, answers }]) => [
        name,
        method,
        path,
        who,
        limit,
        takes ?? "JSON or none",
        answers ?? "JSON or none",
      ]),
    );
  });

  test("lists exactly the faults and the limits", () => {
    const faults = firstTable(sectionOf(page, "Faults")).map((row) => [
      code(row.Fault ?? ""),
      Number(row.Status),
    ]);
    expect(faults).toEqual(Object.entries(FAULT_STATUS));
    const limits = firstTable(sectionOf(page, "Limits")).map((row) => [
      row["Counted as"],
      Number(row["A minute"]),
    ]);
    expect(limits).toEqual(Object.entries(STUDIO_LIMITS));
  });
});
