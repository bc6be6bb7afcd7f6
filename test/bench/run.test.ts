import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { CONTENDERS } from "../../bench/contenders.ts";
import { GROWTH } from "../../bench/growth.ts";
import { Program } from "../support/program.ts";

const RUN = fileURLToPath(new URL("../../bench/run.ts", import.meta.url));
const command = [process.execPath, RUN];

describe("the benchmark", () => {
  test("says how it is run, with every contender and every part of the growth", async () => {
    using bench = new Program({}, command);
    const { stdout, exitCode } = await bench.run(["--help"]);
    expect(exitCode).toBe(0);
    for (const { name } of CONTENDERS) expect(stdout).toContain(name);
    for (const part of Object.keys(GROWTH)) expect(stdout).toContain(part);
  });

  test.each([
    [["--only", "apache"], "there is no apache"],
    [["--growth", "height"], "there is no height"],
    [["--rounds", "0"], "--rounds is a whole number from 1, not 0"],
    [["--fast"], "--fast"],
  ])("refuses %j, and says what to type instead", async (args, complaint) => {
    using bench = new Program({}, command);
    const { stdout, stderr, exitCode } = await bench.run(args);
    expect(stderr).toStartWith("Error: ");
    expect(stderr).toContain(complaint);
    expect(stderr).toContain("Try: npm run bench -- --help");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });
});
