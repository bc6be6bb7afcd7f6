import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, load } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { holdWriteLock } from "../support/write-lock.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** Commands that write, in one way or another. */
const WRITING: readonly (readonly [args: readonly string[], stdin?: string])[] = [
  [["import", "-"], JSON.stringify(writtenRecord(2))],
  [["key", "create", email]],
  [["user", "delete", email, "--yes"]],
  [["rebuild"]],
];

describe("a database that another process holds locked for too long", () => {
  test("ends a command that writes with an exit code of its own, and nothing is written", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const before = await done(program, ["export", "--all"]);
    // All at once, since each waits as long as a command waits for a lock.
    const outcomes = await (async () => {
      await using _ = await holdWriteLock(program.database);
      return await Promise.all(WRITING.map(([args, stdin]) => program.run(args, stdin)));
    })();
    expect(outcomes).toEqual(
      WRITING.map(() => ({
        stdout: "",
        stderr:
          "Error: another process holds the database locked\nTry: try again when the other process is done\n",
        exitCode: 3,
      })),
    );
    expect(await done(program, ["export", "--all"])).toBe(before);
    expect(await done(program, ["key", "create", email])).toStartWith("vit_");
  });

  test("is no obstacle to one that reads", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using _ = await holdWriteLock(program.database);
    for (const args of [["user", "list"], ["export", "--all"], ["doctor"]])
      expect([args, (await program.run(args)).exitCode]).toEqual([args, 0]);
  });
});
