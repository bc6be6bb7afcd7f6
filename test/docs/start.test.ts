import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { FullUser, PublicLinks } from "../../src/contract/responses.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { answersOf } from "../support/answers.ts";
import { checkedRecord } from "../support/records.ts";
import { fencesOf, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/start.md");

/** What the API answers about a record that was just imported. */
function answersFor(yaml: string): { full: unknown; links: unknown } {
  const { record } = reconcile(checkedRecord(parse(yaml)), undefined, Date.now());
  const { full, links } = answersOf(record).byKind;
  return { full: full.json, links: links.json };
}

describe("docs/start.md", () => {
  test("shows an answer that the sample profile gives, line by line", () => {
    const { full } = answersFor(readFile("sample/profile.yaml"));
    expect(() => FullUser.parse(full)).not.toThrow();
    const plain = (line: string) => line.trim().replace(/,$/, "");
    const given = new Set(JSON.stringify(full, null, 2).split("\n").map(plain));
    const shown = (fencesOf(sectionOf(page, "What it answers"), "json")[0] ?? "").split("\n").map(plain);
    const checked = shown.filter((line) => line && !/…|"(created|updated)At"/.test(line));
    expect(checked.length).toBeGreaterThan(15);
    expect(checked.filter((line) => !given.has(line))).toEqual([]);
  });

  test("shows the answer that its own example record gives", () => {
    const section = sectionOf(page, "Your own data");
    const [yaml = ""] = fencesOf(section, "yaml");
    const [answer = ""] = fencesOf(section, "json");
    expect(PublicLinks.parse(JSON.parse(answer))).toEqual(answersFor(yaml).links as never);
  });

  test("has commands that can be typed as they stand: an id that nobody has would be refused", () => {
    const commands = fencesOf(page, "sh").join("\n");
    expect(commands).toContain("vitrine key rotate ID ");
    expect(commands).not.toMatch(/ [\w-]{22}(?:\s|$)/);
  });
});
