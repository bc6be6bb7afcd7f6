import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  done,
  expectRefusal,
  KEY,
  listKeys,
  load,
  newestKey,
  UNREAD,
  withKey,
} from "../support/command-line.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

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

  test("--expires 999999w ends with the last year of four digits, and can be listed and rotated", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--expires", "999999w"]);
    const { id, expiresAt } = await newestKey(program);
    expect(expiresAt).toBe("9999-12-31T23:59:59.999Z");
    await done(program, ["key", "rotate", id, "--grace", "999999w"]);
    const lines = (await done(program, ["key", "list", email])).split("\n").slice(1);
    for (const line of lines) expect(line).toMatch(/ active .* 9999-12-31 23:59 +-$/);
    expect(lines).toHaveLength(2);
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
    { expires: "1000000w", error: /^--expires is "1000000w", but it must be/ },
  ])("--expires $expires is refused, and no key is made", async ({ expires, error }) => {
    using program = await programWithPeople();
    const outcome = await program.run(["key", "create", email, `--expires=${expires}`]);
    expectRefusal(outcome, { error, remedy: "vitrine key create EMAIL --expires 90d", exitCode: 2 });
    expect(await listKeys(program, email)).toEqual([]);
  });

  test.each(["n", "😀"])("takes a name of 200 times %s", async (character) => {
    using program = await programWithPeople();
    const name = character.repeat(200);
    await done(program, ["key", "create", email, "--name", name]);
    expect((await newestKey(program)).name).toBe(name);
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

describe.concurrent("key create --view and --only", () => {
  test("make a key that sees what is public, where it may read, and rotate to one of the kind", async () => {
    using program = await programWithPeople();
    const terms = ["--view", "public", "--only", " links ,full,links"];
    const key = await done(program, ["key", "create", email, ...terms]);
    expect(key).toMatch(/^vitp_[0-9A-Za-z]{49}$/);
    const { id, view, paths } = await newestKey(program);
    expect({ view, paths }).toEqual({ view: "public", paths: ["full", "links"] });
    const next = await done(program, ["key", "rotate", id]);
    expect(next).toMatch(/^vitp_/);
    expect(await newestKey(program)).toMatchObject({ view, paths: [...(paths ?? [])] });

    await using server = await program.serve();
    for (const it of [key, next]) {
      const full = await fetch(`${server.url}/user/full`, withKey(it));
      expect(Object.keys((await full.json()) as object)).not.toContain("email");
      expect((await fetch(`${server.url}/user/jobs`, withKey(it))).status).toBe(403);
    }
  });

  test.each([
    { flag: "--view=secret", error: '--view is "secret", but it must be full or public' },
    { flag: "--only=links,nowhere", error: /^--only is "links,nowhere", but it must be some of full,/ },
    { flag: "--only=", error: /^--only is "", but it must be some of / },
  ])("$flag is refused, and no key is made", async ({ flag, error }) => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["key", "create", email, flag]), { error, exitCode: 2 });
    expect(await listKeys(program, email)).toEqual([]);
  });
});

describe.concurrent("key list --expiring", () => {
  test("names the keys of all users that end soon, and says by its exit code whether there are some", async () => {
    using program = await programWithPeople();
    const create = (who: string, ...terms: string[]) => done(program, ["key", "create", who, ...terms]);
    await create(email, "--name", "later", "--expires", "20d");
    await create(email, "--name", "soon", "--expires", "13d");
    await create(writtenRecord(2).email, "--name", "first", "--expires", "2d", "--view", "public");
    await create(email);
    const found = await program.run(["key", "list", "--expiring", "14d"]);
    expect(found.exitCode).toBe(4);
    expect(found.stderr).toBe("2 keys expire within 14d\nTry: vitrine key rotate ID\n");
    const [headings, ...lines] = found.stdout.trimEnd().split("\n");
    expect(headings).toMatch(/^E-MAIL +ID +NAME +VIEW +PATHS +EXPIRES +LAST USED$/);
    expect(lines.map((line) => line.split(/ +/)[2])).toEqual(["first", "soon"]);

    const json = await program.run(["key", "list", "--expiring", "14d", "--json"]);
    expect(json.exitCode).toBe(4);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { email: writtenRecord(2).email, name: "first", view: "public", paths: null },
      { email, name: "soon", view: "full" },
    ]);
    const own = await program.run(["key", "list", writtenRecord(2).email, "--expiring", "14d", "--json"]);
    expect(JSON.parse(own.stdout)).toMatchObject([{ name: "first" }]);
    expect(await done(program, ["key", "list", "--expiring", "1d"])).toBe("No key expires within 1d.");
  });

  test("is refused without a span, and a list of nobody's keys without it", async () => {
    using program = await programWithPeople();
    expectRefusal(await program.run(["key", "list", "--expiring", "soon"]), {
      error: '--expiring is "soon", but it must be a span such as 14d or 12h',
      exitCode: 2,
    });
    expectRefusal(await program.run(["key", "list"]), {
      error: /^name a user by e-mail address/,
      remedy: "vitrine key list --expiring 14d",
      exitCode: 2,
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

/** Opens descriptor 4: a disk that is full. Only Linux has this one. */
const FULL = "exec 4>/dev/full";

describe.skipIf(process.platform !== "linux")(
  "a new key that cannot be printed is revoked, and that is said:",
  () => {
    test.each([
      {
        why: "no space left on device",
        script: `${FULL}; vitrine key create ${email} >&4`,
        keys: "1 new key",
      },
      {
        why: "nobody reads the output",
        script: `${UNREAD}; vitrine key create ${email} >&4`,
        keys: "1 new key",
      },
      {
        why: "no space left on device",
        script: `${FULL}; printf '${email}\\n${email}' | vitrine key create - >&4`,
        keys: "2 new keys",
      },
    ])("$keys, $why", async ({ why, script, keys }) => {
      using program = await programWithPeople();
      expectRefusal(await program.runScript(script), {
        error: new RegExp(`^${keys} could not be printed, and (?:is|are) revoked: .*${why}`),
        remedy: "the same again, where the output can be written",
      });
      const left = await listKeys(program, email);
      expect(left.map(({ status }) => status)).toEqual(left.map(() => "revoked"));
      expect(left.length).toBeGreaterThan(0);
    });

    test.each(["0", "24h"])(
      "one of a rotation with a grace of %s, which the old one outlives",
      async (grace) => {
        using program = await programWithPeople();
        await done(program, ["key", "create", email]);
        const old = await newestKey(program);
        const rotate = `vitrine key rotate ${old.id} --grace ${grace}`;
        const outcome = await program.runScript(`${FULL}; ${rotate} >&4`);
        expectRefusal(outcome, { error: /^1 new key could not be printed, and is revoked: / });
        expect(outcome.stderr).not.toContain("stops working");
        const [first, second] = await listKeys(program, email);
        expect(first).toEqual(old);
        expect(second?.status).toBe("revoked");
        await done(program, rotate.split(" ").slice(1));
        expect(await newestKey(program)).toMatchObject({ status: "active", expiresAt: null });
      },
    );
  },
);

describe.concurrent("key list", () => {
  test("shows what is known of each key", async () => {
    using program = await programWithPeople();
    const terms = [
      "--name",
      "portfolio",
      "--expires",
      "2999-12-31",
      "--view",
      "public",
      "--only",
      "jobs,links",
    ];
    await done(program, ["key", "create", email, ...terms]);
    await done(program, ["key", "create", email]);
    const { id } = await newestKey(program);
    await done(program, ["key", "revoke", id]);
    const [headings, first, second, ...more] = (await done(program, ["key", "list", email])).split("\n");
    expect(headings).toMatch(/^ID +NAME +STATUS +VIEW +PATHS +CREATED +EXPIRES +LAST USED$/);
    expect(first).toMatch(/^\S+ +portfolio +active +public +links,jobs +[\d-]+ [\d:]+ +2999-12-31 00:00 +-$/);
    expect(second).toMatch(/^\S+ +- +revoked +full +all +[\d-]+ [\d:]+ +- +-$/);
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
        view: "full",
        paths: null,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string,
        expiresAt: "2999-12-31T00:00:00.000Z",
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
  });

  test("leaves out of a name what would steer a terminal", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--name", "one\x1b[31m\ntwo"]);
    const lines = (await done(program, ["key", "list", email])).split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(" one[31m two ");
  });

  test.each(["9223372036854775807", "-9223372036854775808", "253402300800000", "8640000000000001"])(
    "shows a key whose times are %s in the database",
    async (instant) => {
      using program = await programWithPeople();
      await done(program, ["key", "create", email]);
      await tamperWith(
        program,
        `UPDATE keys SET created_at = ${instant}, expires_at = ${instant}, last_used_at = ${instant}`,
      );
      const shown = instant.startsWith("-") ? "0001-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z";
      expect(await newestKey(program)).toMatchObject({ expiresAt: shown, lastUsedAt: shown });
      expect(await done(program, ["key", "list", email])).toContain(shown.slice(0, 10));
    },
  );

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

  test("says when the old key really stops, where that is before the grace is over", async () => {
    using program = await programWithPeople();
    await done(program, ["key", "create", email, "--expires", "2999-12-31"]);
    const { id } = await newestKey(program);
    const { stderr } = await program.run(["key", "rotate", id, "--grace", "999999w"]);
    expect(stderr).toBe(`The old key ${id} stops working at 2999-12-31 00:00 UTC.\n`);
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
