import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { SETTINGS } from "../../src/settings.ts";
import { runnableCommands } from "../docs/commands.ts";
import { done } from "../support/command-line.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { Program } from "../support/program.ts";

setDefaultTimeout(300_000);

/** How bold and underlined letters are written: the letter, a step back, and again. */
const OVERSTRUCK = new RegExp(`.${String.fromCodePoint(8)}`, "g");

describe("the manual page", () => {
  if (!Bun.which("mandoc")) {
    withoutTool("can be read", "mandoc is not there", () => {});
    return;
  }

  test("can be read, and has every command, option, variable and exit code", async () => {
    using program = new Program();
    const page = await done(program, ["man"]);
    const read = (args: readonly string[]) =>
      Bun.spawnSync(["mandoc", ...args], { stdin: Buffer.from(`${page}\n`) }).stdout.toString();
    const faults = read(["-T", "lint", "-W", "warning"]).split("\n").filter(Boolean);
    expect(faults.filter((line) => !line.includes("missing date"))).toEqual([]);

    const text = read(["-T", "utf8", "-O", "width=400"]).replaceAll(OVERSTRUCK, "");
    for (const { path, command } of runnableCommands(makeProgram())) {
      const section =
        text.split(new RegExp(`^ +vitrine ${path}(?: .*)?$`, "m"))[1]?.split(/^ {3}\S/m)[0] ?? "";
      for (const { long } of command.options) expect(`${path}: ${section}`).toContain(`${long}`);
    }
    const variables = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const variable of [...variables, "VITRINE_URL", "VITRINE_KEY"])
      expect(text).toMatch(new RegExp(`^ +${variable}(?: |$)`, "m"));
    for (const { code } of Object.values(EXIT_CODES)) expect(text).toMatch(new RegExp(`^ +${code} `, "m"));
  });
});
