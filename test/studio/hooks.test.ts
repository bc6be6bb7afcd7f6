import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { AddedHook, Hook, HookTest, NewHook } from "../../src/studio/contract.ts";
import { Receiver } from "../support/receiver.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const wanted = (url: string, more: Partial<NewHook> = {}): NewHook => ({
  url,
  events: ["record.changed"],
  isSigned: false,
  headers: [],
  body: null,
  ...more,
});

/** A studio whose operator may use addresses of this machine, and the ways of its first user. */
async function opened() {
  const studio = await startTestStudio({ hookPrivate: true });
  const [operator, owner] = [await studio.enterAsOperator(), await studio.enterAsOwner()];
  const params = { user: (await studio.record()).id };
  const hooks = async () => (await (await studio.call("listHooks", { as: owner, params })).json()) as Hook[];
  return { studio, operator, owner, params, hooks, [Symbol.asyncDispose]: studio[Symbol.asyncDispose] };
}

describe("a hook in the studio", () => {
  test("is added with a secret that is shown once, tried, and removed", async () => {
    await using it = await opened();
    await using receiver = new Receiver();
    const { studio, operator: as, owner, params, hooks } = it;
    const body = wanted(receiver.url("/deploy/s3cret"), { isSigned: true, headers: ["X-Token: t0ken"] });
    const answer = await studio.call("addHook", { as, params, body });
    const { hook, secret } = (await answer.json()) as AddedHook;
    expect([answer.status, secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(await hooks()).toEqual([hook]);
    expect(hook).toMatchObject({
      origin: new URL(receiver.url()).origin,
      headers: ["X-Token"],
      events: ["record.changed"],
      isSigned: true,
      status: "active",
    });

    const place = { ...params, hook: hook.id };
    const tested = (await (await studio.call("testHook", { as, params: place })).json()) as HookTest;
    expect(tested).toEqual({ wentWell: true, message: "Its receiver answered 200.", hook });
    const [message] = receiver.received;
    expect(message?.path).toBe("/deploy/s3cret");
    expect(
      new Webhook(secret ?? "").verify(message?.body ?? "", Object.fromEntries(message?.headers ?? [])),
    ).toMatchObject({ type: "hook.test" });

    expect((await studio.call("removeHook", { as: owner, params: place })).status).toBe(204);
    expect(await hooks()).toEqual([]);
    for (const value of ["s3cret", "t0ken", secret ?? "?", receiver.url()])
      expect(studio.logText()).not.toContain(value);
  });

  test("leads an owner to no address within the network, whatever the operator may", async () => {
    await using it = await opened();
    await using receiver = new Receiver();
    const { studio, operator, owner: as, params, hooks } = it;
    const add = async (body: NewHook) => {
      const response = await studio.call("addHook", { as, params, body });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    const inside =
      "This cannot be used as the address: it leads to an address that is not of the public Internet.";
    for (const url of [receiver.url(), "http://169.254.169.254/latest", "http://[::1]/", "http://localhost/"])
      expect(await add(wanted(url))).toEqual([422, inside]);
    expect(await hooks()).toEqual([]);
    const added = await studio.call("addHook", { as: operator, params, body: wanted(receiver.url()) });
    const { hook } = (await added.json()) as AddedHook;
    const place = { ...params, hook: hook.id };
    expect(await (await studio.call("testHook", { as, params: place })).json()).toMatchObject({
      wentWell: false,
      message: "Its address is not of the public Internet.",
    });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    [wanted("nowhere"), "This cannot be used as the address: it is no URL."],
    [
      wanted("ftp://host.example/"),
      "This cannot be used as the address: its scheme is neither https nor http.",
    ],
    [
      wanted("https://a:b@host.example/"),
      "This cannot be used as the address: it has a user or a password in it.",
    ],
    [
      wanted("https://host.example/", { headers: ["Host: evil.example"] }),
      "This cannot be used as the headers: Host is not to be set.",
    ],
    [
      wanted("https://host.example/", { isSigned: true, body: "{}" }),
      "This cannot be used as the body: a signed message has a body of its own.",
    ],
  ])("that is asked for as %j is refused in words", async (body, message) => {
    await using it = await opened();
    const response = await it.studio.call("addHook", { as: it.owner, params: it.params, body });
    expect([response.status, await response.json()]).toMatchObject([422, { message }]);
  });

  test("of another owner is not there, and nobody has more than 20", async () => {
    await using it = await opened();
    const { studio, operator, owner: as, params } = it;
    const own = { url: "https://host.example/", headers: [], body: null, secret: null };
    const events = ["record.changed"] as const;
    const theirs = await studio.store.hooks.add({ ...own, events, email: writtenRecord(2).email });
    for (const name of ["testHook", "removeHook"] as const)
      expect((await studio.call(name, { as, params: { ...params, hook: theirs.id } })).status).toBe(404);
    expect(await studio.store.hooks.find(theirs.id)).not.toBeNull();
    for (let count = 0; count < 20; count++)
      await studio.store.hooks.add({ ...own, events, email: writtenRecord(1).email });
    const one = await studio.call("addHook", { as: operator, params, body: wanted("http://127.0.0.1/") });
    expect([one.status, await one.json()]).toMatchObject([
      403,
      { message: "There are 20 hooks already, which is the most." },
    ]);
  });

  test("is not added beyond 20 by asking for many at once", async () => {
    await using it = await opened();
    const { studio, operator: as, params, hooks } = it;
    const body = wanted("http://localhost/");
    await Promise.all(Array.from({ length: 40 }, () => studio.call("addHook", { as, params, body })));
    expect((await hooks()).length).toBeLessThanOrEqual(20);
  });
});
