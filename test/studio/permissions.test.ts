import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Network, parseNetwork } from "../../src/addresses.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import {
  SESSION_HEADER,
  STUDIO_ROUTES,
  type StudioRoute,
  type StudioRouteName,
} from "../../src/studio/contract.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";
import { type Halves, startTestStudio, type TestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const [FIRST, SECOND] = [writtenRecord(1).email, writtenRecord(2).email];
const NAMES = Object.keys(STUDIO_ROUTES) as StudioRouteName[];
const routeOf = (name: StudioRouteName): StudioRoute => STUDIO_ROUTES[name];
const GUARDED = NAMES.filter((name) => routeOf(name).who !== "anybody");

/** Who somebody is, by what they send along. */
interface Person {
  readonly as: Readonly<Record<string, string>>;
  /** What each route that is not for anybody must answer them with. */
  readonly status: (route: StudioRoute) => number;
}

/** Everybody who must not reach the first person's record. */
async function strangers(studio: TestStudio): Promise<Record<string, Person>> {
  const ended = await studio.enterAsOwner(FIRST);
  await studio.call("signOut", { as: ended });
  const other = await studio.enterAsOwner(SECOND);
  const owner = await studio.enterAsOwner(FIRST);
  const key = mintKey();
  await studio.store.keys.create([{ email: FIRST, hash: hashKey(key), name: null, expiresAt: null }]);
  const signedOut = () => 401;
  return {
    "another owner": {
      as: other,
      status: ({ who, path }) => (who === "operator" ? 403 : path.includes(":user") ? 404 : 0),
    },
    "an ended session": { as: ended, status: signedOut },
    "no session": { as: {}, status: signedOut },
    "a key of the API": { as: { Authorization: `Bearer ${key}` }, status: signedOut },
    "a key in place of a session": { as: { Cookie: owner.Cookie, [SESSION_HEADER]: key }, status: signedOut },
    "the cookie alone": { as: { Cookie: owner.Cookie }, status: signedOut },
    "the header alone": { as: { [SESSION_HEADER]: owner[SESSION_HEADER] }, status: signedOut },
    "halves of two sessions": {
      as: { Cookie: owner.Cookie, [SESSION_HEADER]: other[SESSION_HEADER] },
      status: signedOut,
    },
  };
}

describe("every route that is not for anybody", () => {
  test("keeps everybody out but those whom the table names, and tells them nothing", async () => {
    await using studio = await startTestStudio();
    const people = await strangers(studio);
    const user = await studio.record(FIRST);
    const before = JSON.stringify(user);
    const secrets = [user.email, user.profile.slug, user.linkTrees[0]?.title ?? "?"];
    for (const [person, { as, status }] of Object.entries(people)) {
      for (const name of GUARDED) {
        const expected = status(routeOf(name));
        if (expected === 0) continue;
        // A body that is wrong would be noticed only by somebody who was let in.
        const response = await studio.call(name, { as, params: { user: user.id }, headers: {} });
        const text = await response.text();
        expect([person, name, response.status]).toEqual([person, name, expected]);
        for (const secret of secrets)
          expect([person, name, text.includes(secret)]).toEqual([person, name, false]);
        studio.clock.advance(1000);
      }
    }
    expect(JSON.stringify(await studio.record(FIRST))).toBe(before);
    expect(await studio.store.keys.of(FIRST)).toHaveLength(1);
  });

  test("lets in its owner, or the operator, as the table says", async () => {
    await using studio = await startTestStudio();
    const owner = await studio.enterAsOwner(FIRST);
    const operator = await studio.enterAsOperator();
    const { id } = await studio.record(FIRST);
    const endings: readonly StudioRouteName[] = ["signOut", "endAllSessions", "deleteUser"];
    for (const name of GUARDED.filter((it) => !endings.includes(it))) {
      const { who } = routeOf(name);
      for (const [as, mayNot] of [
        [owner, who === "operator"],
        [operator, who === "self"],
      ] as const) {
        const { status } = await studio.call(name, { as, params: { user: id }, query: { days: "7" } });
        if (mayNot) expect([name, status]).toEqual([name, 403]);
        else expect([name, [401, 403].includes(status)]).toEqual([name, false]);
        studio.clock.advance(1000);
      }
    }
  });

  test("knows no user whom there is not, for the operator either", async () => {
    await using studio = await startTestStudio();
    const operator = await studio.enterAsOperator();
    for (const name of GUARDED.filter((it) => routeOf(it).path.includes(":user"))) {
      if (routeOf(name).who === "self") continue;
      const { status } = await studio.call(name, { as: operator, params: { user: "nobody" } });
      expect([name, status]).toEqual([name, 404]);
      studio.clock.advance(1000);
    }
  });

  test("knows no user who is deleted meanwhile, and leaves no address in the log", async () => {
    await using studio = await startTestStudio();
    const [operator, owner] = [await studio.enterAsOperator(), await studio.enterAsOwner(FIRST)];
    const params = { user: (await studio.record(FIRST)).id };
    const body = { name: null, expires: null };
    const [deleted, ...late] = await Promise.all([
      studio.call("deleteUser", { as: operator, params, body: { email: FIRST } }),
      ...Array.from({ length: 10 }, () => studio.call("createKey", { as: owner, params, body })),
      ...Array.from({ length: 10 }, () => studio.call("beginPasskey", { as: owner, params })),
    ]);
    expect(deleted?.status).toBe(204);
    for (const { status } of late) expect([200, 401, 404]).toContain(status);
    expect(studio.logText()).not.toContain("@");
  });

  test("reaches no key, passkey or session of another owner by its id", async () => {
    await using studio = await startTestStudio();
    const [one, other] = [await studio.record(FIRST), await studio.record(SECOND)];
    const as = await studio.enterAsOwner(FIRST);
    const [key] = await studio.store.keys.create([
      { email: SECOND, hash: hashKey(mintKey()), name: null, expiresAt: null },
    ]);
    const { passkeys, sessions } = studio.store.access;
    const publicKey = new Uint8Array([1]);
    await passkeys.add(other.id, { id: "theirs", name: "", publicKey, counter: 0, transports: [] });
    const theirs = await sessions.open({ hash: publicKey, userId: other.id, way: "oidc", device: "" });
    const params = { user: one.id, key: key?.id ?? "", passkey: "theirs", session: theirs.id };
    const body = { grace: "0" };
    for (const name of ["revokeKey", "rotateKey", "removePasskey", "endSession"] as const)
      expect([name, (await studio.call(name, { as, params, body })).status]).toEqual([name, 404]);
    expect(await studio.store.keys.find(key?.id ?? "")).toMatchObject({ revokedAt: null, expiresAt: null });
    expect(await passkeys.of(other.id)).toHaveLength(1);
    expect(await sessions.of(other.id)).toHaveLength(1);
  });
});

describe("a session of the studio", () => {
  test("opens nothing of the API", async () => {
    await using studio = await startTestStudio();
    await using server = await startTestServer();
    const halves: Halves = await studio.enterAsOwner();
    for (const headers of [halves, { Authorization: `Bearer ${halves[SESSION_HEADER]}`, ...halves }])
      expect((await fetch(`${server.url}/user/full`, { headers })).status).toBe(401);
  });
});

describe("calls that come too often", () => {
  test("are refused by address, with when to go on, and others go on", async () => {
    await using studio = await startTestStudio();
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count++) {
      const response = await studio.call("enterByLink", { body: { secret: "guess" } });
      statuses.add(response.status);
      if (response.status === 429) expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([410, 429]);
    expect((await studio.call("showSession")).status).toBe(200);
    studio.clock.advance(61_000);
    expect((await studio.call("enterByLink", { body: { secret: "guess" } })).status).toBe(410);
  });

  test("are counted by the account as well, behind a proxy that names addresses", async () => {
    await using studio = await startTestStudio({ studioUrl: "https://studio.example" });
    const as = await studio.enterAsOwner();
    const { id } = await studio.record();
    const call = (address: string) =>
      studio.call("createKey", {
        as,
        params: { user: id },
        body: { name: null, expires: "never" },
        headers: { "X-Forwarded-For": `1.1.1.1, ${address}` },
      });
    const answers = await Promise.all(Array.from({ length: 91 }, (_, count) => call(`10.0.0.${count}`)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    const elsewhere = await studio.enterAsOwner(SECOND);
    expect((await studio.call("listSessions", { as: elsewhere })).status).toBe(200);
  });

  test.each([
    {
      name: "by a customer's network, of whose addresses of IPv6 there are many",
      from: (count: number) => `2001:db8:0:1::${count}`,
      another: "2001:db8:0:2::1",
    },
    {
      name: "by who asked, behind a proxy on another machine that is trusted",
      from: () => "198.51.100.7, 10.0.0.9",
      another: "198.51.100.8, 10.0.0.9",
    },
    {
      name: "by a proxy that is not trusted, whatever it says",
      from: (count: number) => `198.51.100.${count}, 192.0.2.1`,
      another: "198.51.100.99, 192.0.2.2",
    },
  ])("are counted $name", async ({ from, another }) => {
    await using studio = await startTestStudio({
      studioUrl: "https://studio.example",
      trustedProxies: [parseNetwork("10.0.0.0/8") as Network],
    });
    const enter = async (forwardedFor: string) => {
      const headers = { "X-Forwarded-For": forwardedFor };
      return (await studio.call("enterByLink", { body: { secret: "guess" }, headers })).status;
    };
    for (let count = 0; count < 30; count++) expect(await enter(from(count))).toBe(410);
    expect(await enter(from(30))).toBe(429);
    expect(await enter(another)).toBe(410);
  });

  test("are counted by who connected where the studio has no public address, whatever the header says", async () => {
    await using studio = await startTestStudio();
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count++) {
      const headers = { "X-Forwarded-For": `198.51.100.${count}` };
      statuses.add((await studio.call("enterByLink", { body: { secret: "guess" }, headers })).status);
    }
    expect([...statuses]).toEqual([410, 429]);
  });
});

describe("the log", () => {
  test("has who did what for every change, and no value, secret or address", async () => {
    await using studio = await startTestStudio();
    const link = await studio.operatorLink();
    const secret = link.slice(link.indexOf("=") + 1);
    await studio.call("enterByLink", { body: { secret } });
    const as = await studio.enterAsOwner();
    const { id, profile } = await studio.record();
    const params = { user: id };
    const created = await studio.call("createKey", { as, params, body: { name: "my site", expires: null } });
    const { secret: key } = (await created.json()) as { secret: string };
    await studio.call("saveRecord", { as, params, body: { record: { email: "x" }, revision: "y" } });
    await studio.call("showRecord", { as, params });
    const lines = studio.logged().map(({ message, who, route, status }) => [message, who, route, status]);
    expect(lines).toEqual([
      ["studio", "operator", "enterByLink", 200],
      ["studio", id, "takeInvitation", 200],
      ["studio", id, "createKey", 200],
      ["studio", id, "saveRecord", 422],
    ]);
    for (const value of [secret, as[SESSION_HEADER], as.Cookie, key, "my site", FIRST, profile.slug])
      expect(studio.logText()).not.toContain(value);
  });
});
