import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { makeProgram } from "../../src/cli/program.ts";
import { expectRefusal } from "../support/command-line.ts";
import { Program } from "../support/program.ts";

setDefaultTimeout(300_000);

/** Every command below another that the help shows, each under the words that one types to reach it. */
function* commandsBelow(parent: Command, path = ""): Generator<{ path: string; command: Command }> {
  const shown = parent.createHelp().visibleCommands(parent);
  for (const command of parent.commands.filter((it) => shown.includes(it))) {
    const below = `${path}${command.name()}`;
    yield { path: below, command };
    yield* commandsBelow(command, `${below} `);
  }
}

const commands = [...commandsBelow(makeProgram())];
const leaves = commands.filter(({ command }) => command.commands.length === 0);
const groups = commands.filter(({ command }) => command.commands.length > 0);

function examplesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map((match) => match[1] ?? "");
}

describe.concurrent("the help", () => {
  test.each(leaves)("of `vitrine $path` shows its options and an example", async ({ path, command }) => {
    using program = new Program();
    const { stdout, stderr, exitCode } = await program.run([...path.split(" "), "--help"]);
    expect(stdout).toStartWith(`Usage: vitrine ${path} [options]`);
    expect(stdout).toContain(command.description().split(" ")[0] ?? "");
    for (const { long } of command.options) expect(stdout).toContain(`${long}`);
    expect(stdout).not.toContain("default: []");
    expect(examplesIn(stdout)[0]).toStartWith(`vitrine ${path}`);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test.each(groups)("of the group `vitrine $path` lists its commands", async ({ path, command }) => {
    using program = new Program();
    const { stdout, stderr, exitCode } = await program.run([path, "--help"]);
    for (const below of command.commands) expect(stdout).toMatch(new RegExp(`^  ${below.name()} `, "m"));
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("of the program lists every command that is for people, and shows how to begin", async () => {
    using program = new Program();
    const { stdout, stderr, exitCode } = await program.run(["--help"]);
    for (const { path } of commands.filter((it) => !it.path.includes(" ")))
      expect(stdout).toMatch(new RegExp(`^  ${path} `, "m"));
    expect(stdout).not.toContain("serve-worker");
    const headings = stdout.match(/^\S.*:$/gm)?.filter((line) => !line.startsWith("Usage"));
    expect(headings).toEqual([
      "Options:",
      "To begin:",
      "For owners and their records:",
      "For those who let people in:",
      "For those who run it:",
      "For those who write a client:",
      "For your shell:",
      "Examples:",
    ]);
    const names = stdout.match(/(?<=^ {2})[a-z]+/gm);
    expect(names?.slice(0, 5)).toEqual(["demo", "new", "import", "help", "export"]);
    expect(examplesIn(stdout)).toContain("vitrine demo");
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("is the same by -h, and by `vitrine help`", async () => {
    using program = new Program();
    const spelt = await Promise.all([
      program.run(["import", "--help"]),
      program.run(["import", "-h"]),
      program.run(["help", "import"]),
    ]);
    expect(new Set(spelt.map(({ stdout }) => stdout)).size).toBe(1);
  });

  test.each(["help key create", "key help create", "help key create ada@example.com"])(
    "of a command below another is shown by `vitrine %s`",
    async (typed) => {
      using program = new Program();
      const { stdout, stderr, exitCode } = await program.run(typed.split(" "));
      expect(stdout).toStartWith("Usage: vitrine key create [options] <email>");
      expect(stderr).toBe("");
      expect(exitCode).toBe(0);
    },
  );

  test("of the program is shown by `vitrine help`, and that of a group by its own", async () => {
    using program = new Program();
    const [whole, group] = await Promise.all([program.run(["help"]), program.run(["key", "help"])]);
    expect(whole).toEqual(await program.run(["--help"]));
    expect(group).toEqual(await program.run(["key", "--help"]));
  });

  test("names the variable and the default behind every setting of `serve`", async () => {
    using program = new Program();
    const { stdout } = await program.run(["serve", "--help"]);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("(default: DATABASE_URL, or sqlite:vitrine.db)");
    expect(text).toContain("(default: PORT, or 3000)");
    expect(text).toContain("(default: HOST, or 127.0.0.1)");
    expect(text).toContain("(default: CORS_ORIGINS)");
    expect(text).toContain("(default: LIMIT_FULL, or 30)");
    expect(text).toContain("(default: LIMIT_DEFAULT, or 60)");
  });

  test("of the studio tells its own port from the server's", async () => {
    using program = new Program();
    const { stdout } = await program.run(["studio", "--help"]);
    expect(stdout).toMatch(/--port <number> +the TCP port of the server/);
    expect(stdout).toMatch(/--studio-port <number> +the TCP port of the studio/);
  });

  test("gives only examples that the program understands", async () => {
    using program = new Program();
    const helps = await Promise.all(leaves.map(({ path }) => program.run([...path.split(" "), "--help"])));
    const examples = helps
      .flatMap(({ stdout }) => examplesIn(stdout))
      .map((example) => /vitrine (.+?)(?: [<>|].*)?$/.exec(example)?.[1])
      .filter((example) => example !== undefined);
    expect(examples.length).toBeGreaterThanOrEqual(leaves.length);
    for (const example of examples) {
      const meant = leaves.find(({ path }) => example === path || example.startsWith(`${path} `));
      const flags = example.match(/--[\w-]+/g) ?? [];
      const known = meant?.command.options.map(({ long }) => long) ?? [];
      expect(known, example).toContainValues(flags);
    }
  });
});

describe.concurrent("the version", () => {
  test.each(["--version", "-v"])("is printed by %s, with the commit that runs", async (flag) => {
    using program = new Program();
    expect(await program.run([flag])).toEqual({
      stdout: expect.stringMatching(
        new RegExp(`^${RegExp.escape(packageJson.version)} \\((?:[0-9a-f]{12}(?:-dirty)?|unknown)\\)\n$`),
      ),
      stderr: "",
      exitCode: 0,
    });
  });
});

describe.concurrent("a mistake in typing is named and answered with what to type", () => {
  test.each([
    { typed: "nonsense", error: "unknown command 'nonsense'", remedy: "vitrine --help" },
    { typed: "improt people.json", error: "unknown command 'improt'", remedy: "vitrine import" },
    { typed: "key nonsense", error: "unknown command 'nonsense'", remedy: "vitrine key --help" },
    { typed: "key craete ada@example.com", error: "unknown command 'craete'", remedy: "vitrine key create" },
    { typed: "user lst", error: "unknown command 'lst'", remedy: "vitrine user list" },
    { typed: "--nonsense", error: "unknown option '--nonsense'", remedy: "vitrine --help" },
    { typed: "serve --prot 8080", error: "unknown option '--prot'", remedy: "vitrine serve --port" },
    { typed: "import a.json --jsn", error: "unknown option '--jsn'", remedy: "vitrine import --json" },
    {
      typed: "serve --port",
      error: "option '--port <number>' argument missing",
      remedy: "vitrine serve --help",
    },
    { typed: "serve now", error: /^too many arguments for 'serve'/, remedy: "vitrine serve --help" },
    { typed: "import", error: "missing required argument 'files'", remedy: "vitrine import --help" },
    {
      typed: "key create",
      error: "missing required argument 'email'",
      remedy: "vitrine key create --help",
    },
    { typed: "nonsense --help", error: "unknown command 'nonsense'", remedy: "vitrine --help" },
    { typed: "improt -h", error: "unknown command 'improt'", remedy: "vitrine import" },
    { typed: "key craete --help", error: "unknown command 'craete'", remedy: "vitrine key create" },
    { typed: "help nonsense", error: "unknown command 'nonsense'", remedy: "vitrine --help" },
    { typed: "help improt", error: "unknown command 'improt'", remedy: "vitrine import" },
    { typed: "help key craete", error: "unknown command 'craete'", remedy: "vitrine key create" },
    { typed: "key help nonsense", error: "unknown command 'nonsense'", remedy: "vitrine key --help" },
    { typed: "backup", error: "missing required argument 'file'", remedy: "vitrine backup --help" },
  ])("vitrine $typed", async ({ typed, error, remedy }) => {
    using program = new Program();
    expectRefusal(await program.run(typed.split(" ")), { error, remedy, exitCode: 2 });
  });

  test.each([{ typed: [] }, { typed: ["key"] }, { typed: ["user"] }])(
    "vitrine $typed, which asks for nothing, shows the help on standard error",
    async ({ typed }) => {
      using program = new Program();
      const { stdout, stderr, exitCode } = await program.run(typed);
      expect(stdout).toBe("");
      expect(stderr).toStartWith(`Usage: ${["vitrine", ...typed].join(" ")} `);
      expect(exitCode).toBe(2);
    },
  );
});

describe("colours", () => {
  test("are left out where the output is no terminal", async () => {
    using program = new Program({ TERM: "xterm-256color", COLORTERM: "truecolor" });
    await program.put("wrong.json", "{");
    const outcomes = [
      await program.run(["--help"]),
      await program.run(["nonsense"]),
      await program.run(["import", "wrong.json"]),
      await program.run(["doctor"]),
    ];
    for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain("\x1b");
  });
});
