import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { DAY_MS } from "../../src/records/days.ts";
import type { Session, SessionState } from "../../src/studio/contract.ts";
import { deviceOf } from "../../src/studio/device.ts";
import { AGE_MS, IDLE_MS } from "../../src/studio/sessions.ts";
import { engineInUse } from "../support/engines.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestStudio, type TestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const EMAIL = writtenRecord(1).email;

function secretOf(url: string): { secret: string } {
  return { secret: url.slice(url.indexOf("=") + 1) };
}

async function whoIs(studio: TestStudio, as: Record<string, string>): Promise<SessionState["who"]> {
  return ((await (await studio.call("showSession", { as })).json()) as SessionState).who;
}

describe("the operator's link", () => {
  test("has its secret behind #, lets in once, and is spent then", async () => {
    await using studio = await startTestStudio();
    const url = await studio.operatorLink();
    expect(url).toMatch(/^http:\/\/localhost:\d+\/#link=[\w-]{43}$/);
    const all = await Promise.all([1, 2, 3].map(() => studio.call("enterByLink", { body: secretOf(url) })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    const cookie = all.find(({ ok }) => ok)?.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(
      /^vitrine-studio-\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  test("is no invitation, and an invitation is no link", async () => {
    await using studio = await startTestStudio();
    const [link, invitation] = [await studio.operatorLink(), await studio.invitation()];
    expect((await studio.call("takeInvitation", { body: secretOf(link) })).status).toBe(410);
    expect((await studio.call("enterByLink", { body: secretOf(invitation) })).status).toBe(410);
    expect((await studio.call("takeInvitation", { body: secretOf(invitation) })).status).toBe(200);
  });

  test("sets the strictest of cookies where the studio has a public address", async () => {
    await using studio = await startTestStudio({ studioUrl: "https://studio.example" });
    const url = await studio.operatorLink();
    expect(url).toStartWith("https://studio.example/#link=");
    const response = await studio.call("enterByLink", { body: secretOf(url) });
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^__Host-vitrine-studio=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test("sets a cookie that is not that of a studio at another port of the same host", async () => {
    const names = [
      "https://studio.example",
      "https://studio.example:8443",
      "https://studio.example:9443",
    ].map(async (studioUrl) => {
      await using studio = await startTestStudio({ studioUrl });
      const { Cookie } = await studio.enterAsOperator();
      return Cookie.split("=")[0];
    });
    expect(await Promise.all(names)).toEqual([
      "__Host-vitrine-studio",
      "__Host-vitrine-studio-8443",
      "__Host-vitrine-studio-9443",
    ]);
  });
});

describe("an invitation", () => {
  test("can be looked at without being spent, and is taken once", async () => {
    await using studio = await startTestStudio();
    const body = secretOf(await studio.invitation());
    for (const _ of [1, 2]) {
      const looked = await studio.call("lookAtInvitation", { body });
      expect(await looked.json()).toMatchObject({ email: EMAIL, expiresAt: "2026-04-19T08:30:00.000Z" });
    }
    expect((await studio.call("takeInvitation", { body })).status).toBe(200);
    expect((await studio.call("takeInvitation", { body })).status).toBe(410);
    expect((await studio.call("lookAtInvitation", { body })).status).toBe(410);
  });

  test("ends after seven days, and when another one is made", async () => {
    await using studio = await startTestStudio();
    const first = secretOf(await studio.invitation());
    const second = secretOf(await studio.invitation());
    expect((await studio.call("takeInvitation", { body: first })).status).toBe(410);
    studio.clock.advance(7 * 24 * 60 * 60 * 1000 - 1);
    expect((await studio.call("lookAtInvitation", { body: second })).status).toBe(200);
    studio.clock.advance(1);
    expect((await studio.call("takeInvitation", { body: second })).status).toBe(410);
  });

  test("is made by the operator in the studio, too", async () => {
    await using studio = await startTestStudio();
    const as = await studio.enterAsOperator();
    const { id } = await studio.record();
    const response = await studio.call("inviteUser", { as, params: { user: id } });
    const { url } = (await response.json()) as { url: string };
    const taken = await studio.call("takeInvitation", { body: secretOf(url) });
    expect(await taken.json()).toMatchObject({ who: { kind: "owner", user: { id, email: EMAIL } } });
  });
});

describe("a session", () => {
  test("ends when it is idle for seven days, and after thirty in any case", async () => {
    await using studio = await startTestStudio();
    const as = await studio.enterAsOwner();
    studio.clock.advance(IDLE_MS - 1);
    expect(await whoIs(studio, as)).toMatchObject({ kind: "owner" });
    for (let days = 7; days < 30; days += 5) {
      studio.clock.advance(5 * 24 * 60 * 60 * 1000);
      expect([days, (await whoIs(studio, as)) !== null]).toEqual([days, days + 5 < 30]);
    }
    const idle = await studio.enterAsOwner();
    studio.clock.advance(IDLE_MS);
    expect(await whoIs(studio, idle)).toBeNull();
    expect(AGE_MS).toBe(30 * 24 * 60 * 60 * 1000);
  });

  test("does not last until a time that the clock has been set back from", async () => {
    await using studio = await startTestStudio();
    studio.clock.advance(365 * DAY_MS);
    const ahead = await studio.enterAsOwner();
    studio.clock.advance(-DAY_MS);
    expect(await whoIs(studio, ahead)).toMatchObject({ kind: "owner" });
    studio.clock.advance(-364 * DAY_MS);
    expect(await whoIs(studio, ahead)).toBeNull();
    const present = await studio.enterAsOwner();
    studio.clock.advance(365 * DAY_MS);
    expect([await whoIs(studio, ahead), await whoIs(studio, present)]).toEqual([null, null]);
  });

  test("is listed with its device, and can be ended alone or with all others", async () => {
    await using studio = await startTestStudio();
    const first = await studio.enterAsOwner();
    const second = await studio.enterAsOwner();
    const operator = await studio.enterAsOperator();
    const list = async () => (await (await studio.call("listSessions", { as: first })).json()) as Session[];
    expect((await list()).map(({ way, isThisOne }) => [way, isThisOne])).toContainEqual(["invitation", true]);
    const other = (await list()).find(({ isThisOne }) => !isThisOne)?.id ?? "";
    await studio.call("endSession", { as: first, params: { session: other } });
    expect(await whoIs(studio, second)).toBeNull();
    expect(await list()).toHaveLength(1);
    await studio.call("endAllSessions", { as: first });
    expect(await whoIs(studio, first)).toBeNull();
    expect(await whoIs(studio, operator)).toEqual({ kind: "operator" });
  });

  test("ends with its user, deleted by the owner after typing the address, or from anywhere else", async () => {
    await using studio = await startTestStudio();
    const as = await studio.enterAsOwner();
    const other = await studio.enterAsOwner(writtenRecord(2).email);
    const params = { user: (await studio.record()).id };
    const mistyped = await studio.call("deleteUser", { as, params, body: { email: "x@example.com" } });
    expect(mistyped.status).toBe(422);
    const deleted = await studio.call("deleteUser", { as, params, body: { email: EMAIL.toUpperCase() } });
    expect(deleted.status).toBe(204);
    expect(await studio.store.records.find(EMAIL)).toBeNull();
    expect(await whoIs(studio, as)).toBeNull();
    await studio.store.records.delete(writtenRecord(2).email);
    expect(await whoIs(studio, other)).toBeNull();
  });

  test("is known to every studio on the same database", async () => {
    const engine = engineInUse();
    await using one = await startTestStudio({ engine, studioUrl: "https://studio.example" });
    const as = await one.enterAsOwner();
    const shared = { ...engine, create: async () => ({ ...one.database, async [Symbol.asyncDispose]() {} }) };
    await using other = await startTestStudio({ engine: shared, studioUrl: "https://studio.example" });
    expect(await whoIs(other, as)).toMatchObject({ kind: "owner" });
    await other.call("signOut", { as });
    expect(await whoIs(one, as)).toBeNull();
  });
});

describe("the operator", () => {
  test("finds, creates and deletes users", async () => {
    await using studio = await startTestStudio();
    const as = await studio.enterAsOperator();
    const body = { email: "new@example.com", slug: "newcomer", name: "New Comer" };
    const created = await studio.call("createUser", { as, body });
    expect(await created.json()).toMatchObject({ email: "new@example.com", profileSlug: "newcomer" });
    expect((await studio.record("new@example.com")).profile).toMatchObject({
      isPublic: false,
      name: { isPublic: false, value: "New Comer" },
    });
    const again = await studio.call("createUser", { as, body });
    expect(await again.json()).toMatchObject({ problems: [{ path: ["email"] }] });
    const taken = await studio.call("createUser", { as, body: { ...body, email: "other@example.com" } });
    expect(await taken.json()).toMatchObject({ problems: [{ path: ["slug"] }] });
    const wrong = await studio.call("createUser", { as, body: { email: "x", slug: "A" } });
    expect(await wrong.json()).toMatchObject({ problems: [{ path: ["email"] }, { path: ["slug"] }] });
    const found = await studio.call("listUsers", { as, query: { search: "NEW" } });
    const { users } = (await found.json()) as { users: { id: string; email: string }[] };
    expect(users.map(({ email }) => email)).toEqual(["new@example.com"]);
    const params = { user: users[0]?.id ?? "" };
    await studio.call("deleteUser", { as, params, body: { email: "new@example.com" } });
    expect(await studio.store.records.count()).toBe(2);
  });

  test("gets users some at a time", async () => {
    const records = Array.from({ length: 60 }, (_, index) => writtenRecord(index + 1));
    await using studio = await startTestStudio({ records });
    const as = await studio.enterAsOperator();
    const page = async (after?: string) =>
      (await (await studio.call("listUsers", { as, query: after ? { after } : {} })).json()) as {
        users: { email: string }[];
        next?: string;
      };
    const first = await page();
    const second = await page(first.next);
    expect([first.users.length, second.users.length, second.next]).toEqual([50, 10, undefined]);
  });
});

describe("a device", () => {
  test.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1",
      "Safari on iPhone",
    ],
    ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
    ["Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 EdgiOS/140.0 Mobile Safari/604.1",
      "Edge on iPhone",
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15", "Safari on macOS"],
    ["Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome on Linux"],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15", "Browser on Linux"],
    ["", "Unknown browser"],
  ])("that says %j is told as %s", (userAgent, words) => {
    expect(deviceOf(userAgent)).toBe(words);
  });

  test("that says as much as a header may hold is told at once", () => {
    const userAgent = "iPhone ".repeat(1000) + "Version/ ".repeat(1000);
    const begun = performance.now();
    expect(deviceOf(userAgent)).toBe("Browser on iPhone");
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
