import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, emails, expectRefusal, load, withKey } from "../support/command-line.ts";
import { withValue } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

async function programWithPeople(): Promise<Program> {
  const program = new Program();
  await load(program, writtenRecord(1), writtenRecord(2));
  return program;
}

describe.concurrent("user list", () => {
  test("shows everybody, with link trees and active keys", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    await done(program, ["key", "create", email]);
    const lines = (await done(program, ["user", "list"])).split("\n");
    expect(lines[0]).toMatch(/^E-MAIL +PROFILE +LINK TREES +ACTIVE KEYS +UPDATED$/);
    expect(lines[1]).toMatch(/^person1@example\.com +person-1 +2 +2 +\d{4}-\d\d-\d\d$/);
    expect(lines[2]).toMatch(/^person2@example\.com +person-2 +2 +0 +\d{4}-\d\d-\d\d$/);
    expect(lines.length).toBe(3);
  });

  test("has the same as JSON, one object a line", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const lines = (await done(program, ["user", "list", "--json"])).split("\n");
    expect(lines.length).toBe(2);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      id: expect.any(String) as unknown,
      email,
      profileSlug: "person-1",
      linkTrees: 2,
      activeKeys: 1,
      updatedAt: expect.stringMatching(/Z$/) as unknown,
    });
  });

  test("of an empty database says how to fill it", async () => {
    using program = new Program();
    await done(program, ["migrate"]);
    expect(await done(program, ["user", "list"])).toBe(
      "There are no users yet. Load some with: vitrine import FILE",
    );
    expect(await done(program, ["user", "list", "--json"])).toBe("");
  });
});

describe.concurrent("user show", () => {
  test("leaves out of names and titles what would steer a terminal", async () => {
    using program = new Program();
    const steering = withValue(
      writtenRecord(1),
      "profile.name.value",
      "Ada\x1b[2J\nE-mail  nobody@example.com",
    );
    await load(program, withValue(steering, "linkTrees[0].title", "\x1b]0;title\x07Everything"));
    const shown = await done(program, ["user", "show", email]);
    expect(shown).toContain("\nName       Ada[2J E-mail nobody@example.com\n");
    expect(shown).toMatch(/^Link tree +everything-1: \]0;titleEverything \(2 links\)$/m);
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test("sums up what there is of a user", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const shown = await done(program, ["user", "show", email]);
    expect(shown).toMatch(/^E-mail +person1@example\.com$/m);
    expect(shown).toMatch(/^Name +Person 1$/m);
    expect(shown).toMatch(/^Profile +person-1 \(public\)$/m);
    expect(shown).toMatch(/^Holds +2 jobs, 1 project, 1 education entry, 1 key$/m);
    expect(shown).toMatch(/^Link tree +everything-1: Everything \(2 links\)$/m);
    expect(shown).toMatch(/^Link tree +empty-1: Empty \(0 links\)$/m);
  });

  test("has the same as JSON", async () => {
    using program = await programWithPeople();
    expect(JSON.parse(await done(program, ["user", "show", email.toUpperCase(), "--json"]))).toEqual({
      id: expect.any(String) as unknown,
      email,
      name: "Person 1",
      profile: "person-1",
      isPublic: true,
      createdAt: expect.stringMatching(/Z$/) as unknown,
      updatedAt: expect.stringMatching(/Z$/) as unknown,
      jobs: 2,
      projects: 1,
      education: 1,
      linkTrees: [
        { slug: "everything-1", title: "Everything", links: 2, hasPage: true },
        { slug: "empty-1", title: "Empty", links: 0, hasPage: true },
      ],
      keys: 0,
    });
  });

  test.each(["show", "delete"])("and %s of an unknown user are refused", async (verb) => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["user", verb, "nobody@example.com"]), {
      error: "there is no user nobody@example.com",
      remedy: "vitrine user list",
    });
  });
});

describe.concurrent("user delete", () => {
  test("without a terminal to ask on is refused, and deletes nothing", async () => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["user", "delete", email], "y\n"), {
      error: "deleting a user needs a yes, and there is no terminal to ask on",
      remedy: `vitrine user delete ${email} --yes`,
    });
    expect(await emails(program)).toEqual([email, writtenRecord(2).email]);
  });

  test("--yes deletes the user, and the keys stop with the very next request", async () => {
    using program = await programWithPeople();
    const key = await done(program, ["key", "create", email]);
    const other = await done(program, ["key", "create", writtenRecord(2).email]);
    await using server = await program.serve();
    const statusFor = async (it: string) => (await fetch(`${server.url}/user/full`, withKey(it))).status;
    expect(await statusFor(key)).toBe(200);

    expect(await done(program, ["user", "delete", email, "--yes"])).toBe(
      `Deleted ${email} with 2 link trees and all keys.`,
    );
    expect(await statusFor(key)).toBe(401);
    expect(await statusFor(other)).toBe(200);
    expect(await emails(program)).toEqual([writtenRecord(2).email]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("leaves the address and the slugs free for another", async () => {
    using program = await programWithPeople();
    await done(program, ["user", "delete", email, "--yes"]);
    expect(await done(program, ["import", "-"], JSON.stringify(writtenRecord(1)))).toBe(
      `created    ${email}`,
    );
  });
});
