import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal, hasDatabase, load, manyPeople } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

describe.concurrent("export", () => {
  test("prints one record as JSON, with its ids and timestamps", async () => {
    using program = new Program();
    await load(program, writtenRecord(1), writtenRecord(2));
    const { stdout, stderr, exitCode } = await program.run(["export", email]);
    const record = JSON.parse(stdout) as Record<string, unknown>;
    expect(record).toMatchObject({ email, codehostId: 1001, profile: { slug: "person-1" } });
    for (const field of ["id", "createdAt", "updatedAt"]) expect(record[field]).toBeString();
    expect(stdout.split("\n").length).toBeGreaterThan(10);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("finds a user without regard to the case of the address", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    expect(await done(program, ["export", email.toUpperCase()])).toBe(await done(program, ["export", email]));
  });

  test("prints all records, one a line, in the order they were made", async () => {
    using program = new Program();
    await load(program, writtenRecord(2), writtenRecord(1));
    const lines = (await done(program, ["export", "--all"])).split("\n");
    const records = lines.map((line) => JSON.parse(line) as { email: string });
    expect(records.map((record) => record.email)).toEqual([writtenRecord(2).email, email]);
    expect(records[1]).toEqual(JSON.parse(await done(program, ["export", email])));
  });

  test("prints other formats, with public values alone unless more is asked for", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    expect(await done(program, ["export", email, "--to", "vcard"])).not.toContain(email);
    expect(await done(program, ["export", email, "--to", "vcard", "--view", "full"])).toContain(email);
    expect(await done(program, ["export", email, "--to", "yaml"])).toContain(`email: ${email}\n`);
  });

  test("of a single record can be imported again, to no effect", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const exported = await done(program, ["export", email]);
    expect(await done(program, ["import", "-"], exported)).toBe(`unchanged  ${email}`);
    expect(await done(program, ["export", email])).toBe(exported);
  });

  test("prints nothing when there is nobody", async () => {
    using program = new Program();
    await done(program, ["migrate"]);
    expect(await program.run(["export", "--all"])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("stops quietly when its reader has seen enough", async () => {
    using program = new Program();
    await done(program, ["import", "-"], manyPeople(400));
    const child = program.spawn(["export", "--all"]);
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stderr).text()).toBe("");
  });

  test("of nobody in particular, or of one and all, is refused", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const refusal = {
      error: "name one user by e-mail address, or ask for all with --all",
      remedy: "vitrine export --all",
      exitCode: 2,
    } as const;
    expectRefusal(await program.run(["export"]), refusal);
    expectRefusal(await program.run(["export", email, "--all"]), refusal);
  });

  test("of an unknown user is refused", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    expectRefusal(await program.run(["export", "nobody@example.com"]), {
      error: "there is no user nobody@example.com",
      remedy: "vitrine user list",
    });
  });

  test("from a database that is not there is refused, and makes none", async () => {
    using program = new Program();
    expectRefusal(await program.run(["export", "--all"]), {
      error: `there is no database at ${program.databaseName}`,
      remedy: "vitrine import FILE",
    });
    expect(await hasDatabase(program)).toBe(false);
  });
});
