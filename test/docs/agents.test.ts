import { describe, expect, test } from "bun:test";
import { RESOURCES } from "../../src/agents/resources.ts";
import { TOOLS } from "../../src/agents/tools.ts";
import { MCP_ROUTE } from "../../src/contract/routes.ts";
import { SETTINGS } from "../../src/settings.ts";
import { code, fencesOf, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/agents.md");

describe("docs/agents.md", () => {
  test("lists exactly the tools, with what agents are told of them", () => {
    const rows = firstTable(sectionOf(page, "What an agent can ask"));
    expect(rows.map((row) => [code(row.Tool ?? ""), row["What it answers"]])).toEqual(
      TOOLS.map(({ name, description }) => [name, description]),
    );
  });

  test("lists exactly the resources", () => {
    const listed = [...page.matchAll(/^\| `(vitrine:[^`]+)` \| (.+) \|$/gm)].map((match) => match.slice(1));
    expect(listed).toEqual(RESOURCES.map(({ uri, description }) => [uri, description]));
  });

  test("has lines for clients that are JSON, and name the path", () => {
    const files = fencesOf(page, "json");
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(() => JSON.parse(file)).not.toThrow();
    const lines = [
      ...fencesOf(sectionOf(page, "Over HTTP"), "sh"),
      ...fencesOf(sectionOf(page, "Over HTTP"), "json"),
    ];
    for (const line of lines) expect(line).toContain(`https://links.example${MCP_ROUTE.path}`);
  });

  test("names the limit and the bound that hold", () => {
    const section = sectionOf(page, "For those who write a client");
    expect(section).toContain(`${SETTINGS.limitDefault.fallback} a minute`);
    expect(section).toContain("64 KiB");
  });
});
