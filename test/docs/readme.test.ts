import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { makeProgram } from "../../src/cli/program.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { FullUser, PublicLinks } from "../../src/contract/responses.ts";
import { HEALTH_PATH, READY_PATH, ROUTES } from "../../src/contract/routes.ts";
import { compile } from "../../src/documents/compile.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { SETTINGS } from "../../src/settings.ts";
import { checkedRecord } from "../support/records.ts";
import { runnableCommands } from "./commands.ts";
import { code, fencesOf, firstTable, readFile, sectionOf } from "./markdown.ts";

const readme = readFile("README.md");

function tableOf(heading: string): Record<string, string>[] {
  return firstTable(sectionOf(readme, heading));
}

/** What the API answers about a record that was just imported. */
function answersFor(yaml: string): { full: unknown; links: unknown } {
  const { record } = reconcile(checkedRecord(parse(yaml)), undefined, Date.now());
  const { full, links } = compile(record).documents;
  return { full: JSON.parse(full.body), links: JSON.parse(links.body) };
}

describe("the README", () => {
  test("lists exactly the routes of the API, with what they return and their limits", () => {
    const limits = { full: SETTINGS.limitFull.fallback, default: SETTINGS.limitDefault.fallback };
    const rows = tableOf("Endpoints").map((row) => ({
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

  test("lists exactly the errors of the API", () => {
    const rows = tableOf("Errors").map((row) => [row.Status, row["`message`"], row.When]);
    const message = (text: string) =>
      text === "{detail}" ? "*what is wrong*" : `\`${text.replace("{detail}", "GET /path")}\``;
    expect(rows).toEqual(
      Object.values(ERRORS).map((row) => [String(row.statusCode), message(row.message), row.when]),
    );
  });

  test("lists exactly the settings, with their variables and defaults", () => {
    const rows = tableOf("Settings").map((row) =>
      [row.Flag, row.Variable, row.Default].map((cell) => code(cell ?? "")),
    );
    expect(rows).toEqual(
      Object.values(SETTINGS).map(({ flag, variable, fallback }) => [flag, variable, fallback || "none"]),
    );
  });

  test("lists exactly the commands of the program", () => {
    const listed = tableOf("Command line").map((row) => code(row.Command ?? ""));
    expect(listed).toEqual(runnableCommands(makeProgram()).map(({ path }) => `vitrine ${path}`));
  });

  test("shows an answer that the sample profile gives, line by line", () => {
    const { full } = answersFor(readFile("sample/profile.yaml"));
    expect(() => FullUser.parse(full)).not.toThrow();
    const plain = (line: string) => line.trim().replace(/,$/, "");
    const given = new Set(JSON.stringify(full, null, 2).split("\n").map(plain));
    const shown = (fencesOf(sectionOf(readme, "Run it"), "json")[0] ?? "").split("\n").map(plain);
    const checked = shown.filter((line) => line && !/…|"(created|updated)At"/.test(line));
    expect(checked.length).toBeGreaterThan(15);
    expect(checked.filter((line) => !given.has(line))).toEqual([]);
  });

  test("shows the answer that its own example record gives", () => {
    const section = sectionOf(readme, "Your own data");
    const [yaml = ""] = fencesOf(section, "yaml");
    const [answer = ""] = fencesOf(section, "json");
    expect(PublicLinks.parse(JSON.parse(answer))).toEqual(answersFor(yaml).links as never);
  });

  test("says how to run it and how to test it with scripts that exist", () => {
    const { scripts } = JSON.parse(readFile("package.json")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )\w+)/g)].map((match) => match[1]);
    expect(named).toContain("start");
    expect(named).toContain("test");
    for (const name of named) expect(Object.keys(scripts)).toContain(name ?? "");
  });
});
