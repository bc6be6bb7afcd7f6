import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal, hasDatabase, load, withKey } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { TAMPERINGS, tamperWith } from "../support/tampering.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

describe.concurrent("rebuild", () => {
  test.each(TAMPERINGS)("mends $what", async ({ statement }) => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    await tamperWith(program, statement);
    expect((await program.run(["doctor"])).exitCode).toBe(1);
    expect(await done(program, ["rebuild"])).toBe("Rebuilt the documents of 2 users from their records.");
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("gives every answer its bytes and its tag back, while serve runs", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve();
    const read = async () => {
      const response = await fetch(`${server.url}/user/full`, withKey(key));
      return { etag: response.headers.get("ETag"), body: await response.text() };
    };
    const before = await read();
    await tamperWith(program, TAMPERINGS[0].statement);
    expect((await read()).body).not.toBe(before.body);
    await done(program, ["rebuild"]);
    expect(await read()).toEqual(before);
  });

  test("that was cut short is found by doctor, and finished by migrate", async () => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    await tamperWith(program, "UPDATE compilation SET through = 0");
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      "✗ Documents: those of 2 users are still to be compiled anew\n  → vitrine migrate\n",
    );
    expect(exitCode).toBe(1);
    expect(await done(program, ["migrate"])).toEndWith("Compiled the documents of 2 users anew.");
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("without a database is refused, and makes none", async () => {
    using program = new Program();
    expectRefusal(await program.run(["rebuild"]), {
      error: `there is no database at ${program.databaseName}`,
      remedy: "vitrine import FILE",
    });
    expect(await hasDatabase(program)).toBe(false);
  });
});
