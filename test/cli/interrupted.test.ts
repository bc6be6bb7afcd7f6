import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { done, load, withDatabase } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";

setDefaultTimeout(300_000);

/** Many more than are handled in one step. */
const PEOPLE = 6000;

const COMPILED =
  /^Interrupted: the documents of \d[\d,]* of 6,000 users are compiled anew\. `vitrine migrate` does the rest\.$/;
const COPIED = "Interrupted: what was copied is kept. Run the same command again for the rest.";
const COPY = ["copy", "--from", "sqlite:vitrine.db", "--to"];

/** The bar of a step shows when a part of it is done. */
const STEPS = [
  { args: ["doctor"], bar: "Comparing", says: "Interrupted: the doctor changes nothing." },
  { args: ["rebuild"], bar: "Rebuilding", says: COMPILED },
  { args: ["migrate"], bar: "Compiling", says: COMPILED },
  { args: [...COPY, "sqlite:new.db"], bar: "Copying users", says: COPIED },
  { args: [...COPY, "sqlite:copied.db"], bar: "Checking users", says: COPIED },
  { args: [...COPY, "sqlite:copied.db"], bar: "Verifying users", says: COPIED },
  { args: [...COPY, "sqlite:copied.db"], bar: "Verifying documents", says: COPIED },
];

describe("with an embedded database", () => {
  let filled: Program;

  beforeAll(async () => {
    filled = new Program();
    await load(filled, ...Array.from({ length: PEOPLE }, (_, index) => writtenRecord(index)));
    await done(filled, ["backup", "people.db"]);
  });

  afterAll(() => filled[Symbol.dispose]());

  test.each(STEPS)(
    "Ctrl+C ends $args.0 at the bar $bar, which says what is kept",
    async ({ args, bar, says }) => {
      using program = new Program();
      for (const name of ["vitrine.db", "copied.db"])
        copyFileSync(filled.folder.file("people.db"), program.folder.file(name));
      if (args[0] === "migrate") await withDatabase(program, ({ upkeep }) => upkeep.outdateAll());
      const { screen, exitCode } = await program.runOnTerminal(args, { question: bar, answer: "\x03" });
      expect(screen.trimEnd().split("\r\x1b[2K").at(-1)).toMatch(says);
      expect(exitCode).toBe(130);
    },
  );

  test("a failure in the middle stands on a line of its own, and not behind the bar", async () => {
    using program = new Program();
    copyFileSync(filled.folder.file("people.db"), program.folder.file("vitrine.db"));
    await tamperWith(
      program,
      `CREATE TRIGGER refused BEFORE INSERT ON answers WHEN new.user_number = ${PEOPLE}
       BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    const { screen, exitCode } = await program.runOnTerminal(["rebuild"]);
    expect(screen).toContain("Rebuilding █");
    expect(screen).toContain("\r\x1b[2KError: refused\r\n");
    expect(exitCode).toBe(1);
  });
});
