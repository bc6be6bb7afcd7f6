import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, emails, fewerPeople, load, manyPeople } from "../support/command-line.ts";
import { Program, VITRINE } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);
const ESCAPE = "\x1b";
const QUESTION = "for good?";

describe.concurrent("on a terminal", () => {
  test("a long import shows how far it is, and leaves a clean line", async () => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(1200));
    const { screen, exitCode } = await program.runOnTerminal(["import", "people.ndjson"]);
    expect(screen).toMatch(/Checking [█░]{24} \d+%/);
    expect(screen).toMatch(/Importing [█░]{24} \d+% [\d,]+ records/);
    const lastLine = screen.trimEnd().split(`\r${ESCAPE}[2K`).at(-1);
    expect(lastLine).toMatch(/^[\d,]+ records: [\d,]+ created, 0 updated, 0 unchanged$/);
    expect(exitCode).toBe(0);
  });

  test("Ctrl+C leaves a clean line that says what is kept, and exits with 130", async () => {
    using program = new Program();
    await program.put("people.ndjson", fewerPeople(900));
    const { screen, exitCode } = await program.runOnTerminal(["import", "people.ndjson", "-"], {
      question: "Checking",
      answer: "\x03",
    });
    const lastLine = screen.trimEnd().split(`\r${ESCAPE}[2K`).at(-1);
    expect(lastLine).toBe("Interrupted: nothing was written.");
    expect(exitCode).toBe(130);
  });

  test("a bar is no wider than the terminal, where what is beyond could not be cleared", async () => {
    using program = new Program({}, ["sh", "-c", 'stty cols 40; exec "$@"', "sh", ...VITRINE]);
    await program.put("people.ndjson", manyPeople(1200));
    const { screen, exitCode } = await program.runOnTerminal(["import", "people.ndjson"]);
    const bars = screen.split(`\r${ESCAPE}[2K`).filter((line) => /[█░]/.test(line));
    expect(bars).not.toEqual([]);
    expect(Math.max(...bars.map((bar) => bar.length))).toBeLessThan(40);
    expect(exitCode).toBe(0);
  });

  test("of half a window, the help breaks its lines between words", async () => {
    using program = new Program({}, ["sh", "-c", 'stty cols 60; exec "$@"', "sh", ...VITRINE]);
    for (const command of [[], ["serve"]]) {
      const { screen } = await program.runOnTerminal([...command, "--help"]);
      const [lines = ""] = screen.split("Examples:");
      expect(Math.max(...lines.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    }
  });

  test("that is dumb there is no bar, and nothing that it would not understand", async () => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(1200));
    const { screen } = await program.runOnTerminal(["import", "people.ndjson"], undefined, { TERM: "dumb" });
    expect(screen).toMatch(/^[\d,]+ records: [\d,]+ created, 0 updated, 0 unchanged\r\n$/);
  });

  test("the bar stays away from output that is piped", async () => {
    using program = new Program();
    const outcome = await program.run(["import", "-"], manyPeople(300));
    expect(outcome.stderr).toBe("");
    expect(outcome.stdout).not.toContain("█");
  });

  test("the doctor's marks are in colour", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    expect((await program.runOnTerminal(["doctor"])).screen).toContain(`${ESCAPE}[32m✓`);
  });

  test("NO_COLOR is honoured", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { screen } = await program.runOnTerminal(["doctor"], undefined, { NO_COLOR: "1" });
    expect(screen).toContain("✓ Settings");
    expect(screen).not.toContain(`${ESCAPE}[32m`);
  });

  test("backup copies as it does elsewhere", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { screen, exitCode } = await program.runOnTerminal(["backup", "copy.db"]);
    expect(screen).toContain("Wrote copy.db");
    expect(exitCode).toBe(0);
    expect(await done(program, ["doctor", "--database", "sqlite:copy.db"])).toEndWith("All is well.");
  });

  test("backup says why it could not", async () => {
    using program = new Program();
    const { screen, exitCode } = await program.runOnTerminal(["backup", "copy.db"]);
    expect(screen).toContain("Error: there is no database at vitrine.db");
    expect(screen).toContain("Try: vitrine import FILE");
    expect(exitCode).toBe(1);
  });
});

describe.concurrent("user delete asks on a terminal", () => {
  test.each([
    { answer: "n", typed: "n\n" },
    { answer: "nothing", typed: "\n" },
    { answer: "anything but yes", typed: "perhaps\n" },
  ])("and $answer deletes nothing", async ({ typed }) => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { screen, exitCode } = await program.runOnTerminal(["user", "delete", email], {
      question: QUESTION,
      answer: typed,
    });
    expect(screen).toContain(`Delete ${email} with all link trees and keys, for good?`);
    expect(screen).toContain("nothing was deleted");
    expect(exitCode).toBe(1);
    expect(await emails(program)).toEqual([email]);
  });

  test("and y deletes", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { screen, exitCode } = await program.runOnTerminal(["user", "delete", email], {
      question: QUESTION,
      answer: "y\n",
    });
    expect(screen).toContain(`Deleted ${email}`);
    expect(exitCode).toBe(0);
    expect(await emails(program)).toEqual([]);
  });

  test("unless --yes was given", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const { screen } = await program.runOnTerminal(["user", "delete", email, "--yes"]);
    expect(screen).not.toContain(QUESTION);
    expect(await emails(program)).toEqual([]);
  });
});
