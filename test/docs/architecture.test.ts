import { describe, expect, test } from "bun:test";
import { importsOf, partOf, sourceFiles } from "../support/imports.ts";
import { code, firstTable, readFile, sectionOf } from "./markdown.ts";

const rows = firstTable(sectionOf(readFile("docs/architecture.md"), "The parts"));
const parts = rows.map((row) => code(row.Part ?? ""));

describe("the table of parts in docs/architecture.md", () => {
  test("has exactly the folders of src, but for what knows nothing of the service", () => {
    const folders = sourceFiles().filter((file) => file.includes("/"));
    expect(new Set([...parts, "async", "logging"])).toEqual(new Set(folders.map(partOf)));
  });

  test.each(rows)("names what $Part imports, and only parts above it", (row) => {
    const part = code(row.Part ?? "");
    const cell = row["May import"] ?? "";
    const above = parts.slice(0, parts.indexOf(part));
    const allowed =
      cell === "all of the above" ? above : [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
    for (const name of allowed) expect(above).toContain(name);
    const imported = sourceFiles()
      .filter((file) => partOf(file) === part)
      .flatMap((file) => importsOf(file).map(({ to }) => partOf(to)));
    const strays = imported.filter(
      (name) => parts.includes(name) && name !== part && !allowed.includes(name),
    );
    expect(strays).toEqual([]);
  });
});
