import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { emails, load, UNREAD } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

describe.concurrent("a command whose reader has gone", () => {
  test.each([
    { command: "doctor --database sqlite:none.db >&4", exitCode: 1 },
    { command: "import wrong.json --dry-run 2>&4", exitCode: 1 },
    { command: "import wrong.json --dry-run >&4 2>&1", exitCode: 1 },
    { command: "nonsense 2>&4", exitCode: 2 },
    { command: "--help >&4", exitCode: 0 },
  ])("ends with its own exit code: vitrine $command", async ({ command, exitCode }) => {
    using program = new Program();
    await program.put("wrong.json", "{");
    expect((await program.runScript(`${UNREAD}; vitrine ${command}`)).exitCode).toBe(exitCode);
  });

  test("does what it was told to", async () => {
    using program = new Program();
    const records = [writtenRecord(1), writtenRecord(2)];
    await program.put("people.json", JSON.stringify(records));
    const outcome = await program.runScript(`${UNREAD}; vitrine import people.json >&4 2>&1`);
    expect(outcome.exitCode).toBe(0);
    expect(await emails(program)).toEqual(records.map(({ email }) => email));
  });

  test.each(["export --all", "user list", "user list --json"])(
    "ends in silence: vitrine %s",
    async (command) => {
      using program = new Program();
      await load(program, writtenRecord(1), writtenRecord(2));
      const outcome = await program.runScript(`${UNREAD}; vitrine ${command} >&4`);
      expect(outcome).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    },
  );
});
