import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal, KEY, listKeys, load, newestKey, withKey } from "../support/command-line.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const { email } = writtenRecord(1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function programWithPeople(): Promise<Program> {
  const program = new Program();
  await load(program, writtenRecord(1), writtenRecord(2));
  return program;
}

async function statusFor(server: ServingProgram, key: string): Promise<number> {
  return (await fetch(`${server.url}/user/links`, withKey(key))).status;
}

function span(from: string, to: string | null): number {
  return Date.parse(to ?? "") - Date.parse(from);
}

describe.concurrent("key create", () => {
  test("prints the key, and nothing else", async () => {
    using program = await programWithPeople();
    const { stdout, stderr, exitCode } = await program.run(["key", "create", email]);
    expect(stdout).toEndWith("\n");
    expect(stdout.slice(0, -1)).toMatch(KEY);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("makes a key that opens the user's data and no one else's", async () => {
    using program = await programWithPeople();
    const key = await done(program, ["key", "create", email.toUpperCase()]);
    await using server = await program.serve();
    const response = await fetch(`${server.url}/user/full`, withKey(key));
    expect(await response.json()).toMatchObject({ email });
  });

  test.each([
    { expires: "90d", ms: 90 * DAY },
    { expires: "12h", ms: 12 * HOUR },
    { expires: "30m", ms: HOUR / 2 },
    { expires: "2w", ms: 14 * DAY },
  ])("--expires $expires counts from now", async ({ expires, ms }) => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--expires", expires]);
    const { createdAt, expiresAt } = await newestKey(program);
    expect(Math.abs(span(createdAt, expiresAt) - ms)).toBeLessThan(10_000);
  });

  test.each([
    { expires: "2999-12-31", instant: "2999-12-31T00:00:00.000Z" },
    { expires: "2999-12-31T12:00:00+02:00", instant: "2999-12-31T10:00:00.000Z" },
  ])("--expires $expires is a time of its own", async ({ expires, instant }) => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--expires", expires]);
    expect((await newestKey(program)).expiresAt).toBe(instant);
  });

  test("a key stops when it expires, and not before", async () => {
    using program = await programWithPeople();
    await using server = await program.serve(["serve"], { LIMIT_DEFAULT: "1000000" });
    const key = await done(program, ["key", "create", email, "--expires", "2s"]);
    const refusal = await until("the key to expire", async () => {
      const response = await fetch(`${server.url}/user/links`, withKey(key));
      return response.status === 401 && { at: Date.now(), body: (await response.json()) as unknown };
    });
    expect(refusal.body).toMatchObject({ message: "API Key Expired" });
    const { status, expiresAt } = await newestKey(program);
    expect(status).toBe("expired");
    expect(refusal.at).toBeGreaterThanOrEqual(Date.parse(expiresAt ?? ""));
  });

  test.each([
    { expires: "soon", error: /^--expires is "soon", but it must be a span such as 90d or 12h, or a date$/ },
    { expires: "90", error: /^--expires is "90", but it must be/ },
    { expires: "-1d", error: /--expires/ },
    { expires: "2999-13-01", error: /^--expires is "2999-13-01", but it must be/ },
    { expires: "2020-01-01", error: "--expires 2020-01-01 is not in the future" },
    { expires: "0", error: "--expires 0 is not in the future" },
  ])("--expires $expires is refused, and no key is made", async ({ expires, error }) => {
    using program = await programWithPeople();
    const outcome = await program.run(["key", "create", email, `--expires=${expires}`]);
    expectRefusal(outcome, { error, remedy: "vitrine key create EMAIL --expires 90d", exitCode: 2 });
    expect(await listKeys(program, email)).toEqual([]);
  });

  test("refuses a name that is too long, and an unknown user", async () => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["key", "create", email, "--name", "n".repeat(201)]), {
      error: "--name must have at most 200 characters",
      exitCode: 2,
    });
    expectRefusal(await program.run(["key", "create", "nobody@example.com"]), {
      error: "there is no user nobody@example.com",
      remedy: "vitrine user list",
    });
  });
});

describe.concurrent("key create -", () => {
  test("prints an address and a key for every line of standard input", async () => {
    using program = await programWithPeople();
    const addresses = `${writtenRecord(2).email}\r\n\n  ${email}  `;
    const { stdout, exitCode } = await program.run(["key", "create", "-", "--name", "all"], addresses);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    expect(rows.map(([address]) => address)).toEqual([writtenRecord(2).email, email]);
    expect(exitCode).toBe(0);

    await using server = await program.serve();
    for (const [address, key = ""] of rows) {
      const response = await fetch(`${server.url}/user/full`, withKey(key));
      expect(await response.json()).toMatchObject({ email: address });
    }
    expect((await newestKey(program)).name).toBe("all");
  });

  test("names every unknown address, and then makes no key at all", async () => {
    using program = await programWithPeople();
    const outcome = await program.run(["key", "create", "-"], `${email}\nno@example.com\nnor@example.com\n`);
    expect(outcome.stderr).toContain("there is no user no@example.com\n");
    expect(outcome.stderr).toContain("there is no user nor@example.com\n");
    expectRefusal(outcome, { error: /^2 addresses .*no key was made$/, remedy: "vitrine user list" });
    expect(await listKeys(program, email)).toEqual([]);
  });
});

describe.concurrent("key list", () => {
  test("shows what is known of each key", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--name", "portfolio", "--expires", "2999-12-31"]);
    await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await done(program, ["key", "revoke", id]);
    const [headings, first, second, ...more] = (await done(program, ["key", "list", email])).split("\n");
    expect(headings).toMatch(/^ID +NAME +STATUS +CREATED +EXPIRES +LAST USED$/);
    expect(first).toMatch(/^\S+ +portfolio +active +[\d-]+ [\d:]+ +2999-12-31 00:00 +-$/);
    expect(second).toMatch(/^\S+ +- +revoked +[\d-]+ [\d:]+ +- +-$/);
    expect(second).toStartWith(id);
    expect(more).toEqual([]);
  });

  test("has the same as JSON", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--name", "portfolio", "--expires", "2999-12-31"]);
    expect(await listKeys(program, email)).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/) as unknown as string,
        name: "portfolio",
        status: "active",
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string,
        expiresAt: "2999-12-31T00:00:00.000Z",
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
  });

  test("never shows a key or a hash", async () => {
    using program = await programWithPeople();
    const key = await done(program, ["key", "create", email]);
    const digest = new Bun.CryptoHasher("sha256").update(key).digest();
    const shown = [
      await done(program, ["key", "list", email]),
      await done(program, ["key", "list", email, "--json"]),
      await done(program, ["user", "show", email, "--json"]),
      await done(program, ["user", "list", "--json"]),
      await done(program, ["export", "--all"]),
    ].join("\n");
    const secrets = [key, key.slice(4), digest.toString("hex"), digest.toString("base64")];
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).not.toContain("vit_");
  });

  test("of a user without one says how to make one", async () => {
    using program = await programWithPeople();
    expect(await done(program, ["key", "list", email])).toBe(
      `${email} has no key. Make one with: vitrine key create ${email}`,
    );
    expect(await listKeys(program, email)).toEqual([]);
  });

  test("of an unknown user is refused", async () => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["key", "list", "nobody@example.com"]), {
      error: "there is no user nobody@example.com",
      remedy: "vitrine user list",
    });
  });
});

describe.concurrent("key revoke", () => {
  test("ends one key and no other, and says whose it was", async () => {
    using program = await programWithPeople();
    const kept = await done(program, ["key", "create", email]);
    const revoked = await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    expect(await done(program, ["key", "revoke", id])).toStartWith(`Revoked ${id} of ${email}.`);
    await using server = await program.serve();
    expect(await statusFor(server, revoked)).toBe(401);
    expect(await statusFor(server, kept)).toBe(200);
  });

  test("a second time changes nothing", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await done(program, ["key", "revoke", id]);
    const { revokedAt } = await newestKey(program);
    expect(revokedAt).not.toBeNull();
    await done(program, ["key", "revoke", id]);
    expect((await newestKey(program)).revokedAt).toBe(revokedAt);
  });

  test.each(["revoke", "rotate"])("or %s of an unknown id is refused", async (verb) => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["key", verb, "nonsense"]), {
      error: "there is no key with the id nonsense",
      remedy: "vitrine key list EMAIL",
    });
  });
});

describe.concurrent("key rotate", () => {
  test("prints a new key, and the old one goes on working for a day", async () => {
    using program = await programWithPeople();
    const old = await done(program, ["key", "create", email, "--name", "portfolio"]);
    const { id } = await newestKey(program);
    const { stdout, stderr, exitCode } = await program.run(["key", "rotate", id]);
    expect(stdout.slice(0, -1)).toMatch(KEY);
    expect(stderr).toStartWith(`The old key ${id} stops working at `);
    expect(exitCode).toBe(0);

    const [before, after] = await listKeys(program, email);
    expect(after).toMatchObject({ name: "portfolio", status: "active", expiresAt: null });
    expect(before).toMatchObject({ id, status: "active", revokedAt: null });
    expect(Math.abs(Date.parse(before?.expiresAt ?? "") - Date.now() - DAY)).toBeLessThan(60_000);
    await using server = await program.serve();
    expect(await statusFor(server, old)).toBe(200);
    expect(await statusFor(server, stdout.trim())).toBe(200);
  });

  test("--grace says for how long instead", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await done(program, ["key", "rotate", id, "--grace", "7d"]);
    const [old] = await listKeys(program, email);
    expect(Math.abs(Date.parse(old?.expiresAt ?? "") - Date.now() - 7 * DAY)).toBeLessThan(60_000);
  });

  test("--grace 0 ends the old key with the very next request", async () => {
    using program = await programWithPeople();
    const old = await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await using server = await program.serve();
    expect(await statusFor(server, old)).toBe(200);
    const { stdout, stderr } = await program.run(["key", "rotate", id, "--grace", "0"]);
    expect(stderr).toBe(`The old key ${id} stops working now.\n`);
    expect(await statusFor(server, old)).toBe(401);
    expect(await statusFor(server, stdout.trim())).toBe(200);
  });

  test("gives the new key as long as the old one had, and the old one no day more", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--expires", "2h"]);
    const { id, expiresAt } = await newestKey(program);
    await done(program, ["key", "rotate", id, "--grace", "7d"]);
    const [old, fresh] = await listKeys(program, email);
    expect(old?.expiresAt).toBe(expiresAt);
    expect(Math.abs(span(fresh?.createdAt ?? "", fresh?.expiresAt ?? null) - 2 * HOUR)).toBeLessThan(10_000);
  });

  test("of a key that was revoked is refused", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await done(program, ["key", "revoke", id]);
    expectRefusal(await program.run(["key", "rotate", id]), {
      error: `the key ${id} is revoked`,
      remedy: `vitrine key create ${email}`,
    });
  });

  test.each(["24", "soon", "1y"])("--grace %s is refused, and nothing is changed", async (grace) => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email]);
    const before = await listKeys(program, email);
    expectRefusal(await program.run(["key", "rotate", before[0]?.id ?? "", "--grace", grace]), {
      error: `--grace is "${grace}", but it must be a span such as 24h or 7d`,
      remedy: "vitrine key rotate ID --grace 24h",
      exitCode: 2,
    });
    expect(await listKeys(program, email)).toEqual(before);
  });
});

if (engineInUse() === sqlite) {
  describe("the file of a database", () => {
    test("keeps nothing of a key but its hash", async () => {
      using program = await programWithPeople();
      const key = await done(program, ["key", "create", email]);
      using database = new Database(program.folder.file("vitrine.db"), { readonly: true });
      database.query("SELECT count(*) FROM users").get();
      const bytes = await Promise.all(
        ["", "-wal"].map(async (suffix) => {
          const file = Bun.file(program.folder.file(`vitrine.db${suffix}`));
          return (await file.exists()) ? Buffer.from(await file.bytes()) : Buffer.alloc(0);
        }),
      );
      const stored = Buffer.concat(bytes);
      expect(stored.includes(new Bun.CryptoHasher("sha256").update(key).digest())).toBe(true);
      expect(stored.includes(key)).toBe(false);
      expect(stored.includes(key.slice(4, 24))).toBe(false);
    });
  });
}
