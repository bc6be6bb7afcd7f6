import { describe, expect, test } from "bun:test";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { SETTINGS, STUDIO_SETTINGS } from "../../src/settings.ts";
import { runnableCommands } from "./commands.ts";
import { code, fencesOf, filesMatching, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/command-line.md");
const commands = runnableCommands(makeProgram());
const settingFlags = Object.values(SETTINGS).map(({ flag }) => flag);

/** What is said in place of a long list. */
const SHORT_LISTS = new Map([
  [settingFlags.join(), "all"],
  [
    settingFlags.filter((flag) => !STUDIO_SETTINGS.some((name) => SETTINGS[name].flag === flag)).join(),
    "all but those of the studio",
  ],
]);

describe("docs/command-line.md", () => {
  test("has a section for every command of the program, and for no other", () => {
    const sections = [...page.matchAll(/^## vitrine (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(commands.map(({ path }) => path));
  });

  test("lists exactly the commands of the program, in its order", () => {
    const listed = firstTable(sectionOf(page, "All commands")).map((row) => code(row.Command ?? ""));
    expect(listed).toEqual(commands.map(({ path }) => `vitrine ${path}`));
  });

  test("knows how many settings there are", () => {
    const said = [...page.matchAll(/all (\d+) can be used/g)].map((match) => Number(match[1]));
    expect(new Set(said)).toEqual(new Set([settingFlags.length]));
  });

  describe.each(commands)("says of `vitrine $path`", ({ path, command }) => {
    const section = sectionOf(page, `vitrine ${path}`);
    const flags = command.options.map(({ long }) => long ?? "");

    test("exactly its own options", () => {
      const options = firstTable(section).filter((row) => row.Option !== undefined);
      expect(options.map((row) => code(row.Option ?? ""))).toEqual(
        flags.filter((flag) => !settingFlags.includes(flag)),
      );
    });

    test("exactly the settings it takes", () => {
      const taken = flags.filter((flag) => settingFlags.includes(flag));
      const named = /^Settings: (.+)\.$/m.exec(section)?.[1];
      const list = taken.map((flag) => `\`${flag}\``).join(", ") || "none";
      expect(named).toBe(SHORT_LISTS.get(taken.join()) ?? list);
    });

    test("the defaults of its options", () => {
      const rows = firstTable(section);
      for (const { long, defaultValue } of command.options) {
        if (typeof defaultValue !== "string") continue;
        const row = rows.find(({ Option }) => Option === `\`${long}\``);
        expect(row?.["What it does"]).toEndWith(`default \`${defaultValue}\``);
      }
    });

    test("an example", () => {
      const examples = fencesOf(section, "text").join("\n") + fencesOf(section, "sh").join("\n");
      expect(examples).toContain(`vitrine ${path}`);
    });
  });

  test("lists exactly the exit codes", () => {
    const rows = firstTable(sectionOf(page, "What all commands share")).map((row) => [row.Code, row.Meaning]);
    expect(rows).toEqual(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]));
  });

  test("shows JSON that is JSON", () => {
    for (const block of fencesOf(page, "json")) expect(() => JSON.parse(block)).not.toThrow();
  });
});

describe("an example of a command in any Markdown file", () => {
  const examples = filesMatching("**/*.md").flatMap((file) => {
    const blocks = [...fencesOf(readFile(file), "sh"), ...fencesOf(readFile(file), "text")].join("\n");
    const lines = blocks.matchAll(/^(?:\$ |KEY=\$\(|.* \| )?(?:npx |dist\/)?vitrine ([^)\n]+)/gm);
    return [...lines].map((match) => ({ file, line: match[1] ?? "" }));
  });

  test.each(examples)("$file: vitrine $line", ({ line }) => {
    const meant = commands.find(({ path }) => line === path || line.startsWith(`${path} `));
    expect(meant).toBeDefined();
    const known = meant?.command.options.map(({ long }) => long) ?? [];
    for (const flag of line.match(/--[\w-]+/g) ?? []) expect(known).toContain(flag);
  });

  test("is found in more than one file", () => {
    expect(new Set(examples.map(({ file }) => file)).size).toBeGreaterThan(1);
  });
});
