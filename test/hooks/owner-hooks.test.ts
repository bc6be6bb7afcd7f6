import { describe, expect, test } from "bun:test";
import { parseHeaders } from "../../src/hooks/headers.ts";
import { addHook, shown, testHook, type WantedHook } from "../../src/hooks/owner-hooks.ts";
import { HookRefused } from "../../src/hooks/refusal.ts";
import { sqlite } from "../support/engines.ts";
import { FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { Receiver } from "../support/receiver.ts";
import { writtenRecord } from "../support/records.ts";

const WANTED: WantedHook = {
  email: FIRST_EMAIL,
  url: "https://8.8.8.8/secret-path?token=secret-token#part",
  headers: ["Authorization: Bearer secret-header"],
  body: null,
  isSigned: false,
  events: [],
};

async function openHooks() {
  const opened = await openStore(sqlite);
  await opened.save(writtenRecord(1));
  return opened;
}

describe("a hook that an owner asks for", () => {
  test.each([
    { what: "text that is no URL", fault: "no-url", wrong: { url: "deploy" } },
    { what: "scheme that reads files", fault: "scheme", wrong: { url: "file:///etc/passwd" } },
    { what: "scheme that speaks anything", fault: "scheme", wrong: { url: "gopher://8.8.8.8/" } },
    { what: "user in the URL", fault: "credentials", wrong: { url: "https://ada@8.8.8.8/" } },
    { what: "password in the URL", fault: "credentials", wrong: { url: "https://:pass@8.8.8.8/" } },
    { what: "long URL", fault: "too-long", wrong: { url: `https://8.8.8.8/${"a".repeat(2000)}` } },
    { what: "private address", fault: "private-address", wrong: { url: "http://169.254.169.254/" } },
    { what: "header without a colon", fault: "header", wrong: { headers: ["no colon"] } },
    { what: "header of two lines", fault: "header", wrong: { headers: ["Two: lines\r\nX: y"] } },
    { what: "header of the connection's", fault: "header", wrong: { headers: ["Host: other.example"] } },
    { what: "header of the signature's", fault: "header", wrong: { headers: ["Webhook-Id: mine"] } },
    { what: "number of headers", fault: "header", wrong: { headers: Array(11).fill("X: y") as string[] } },
    { what: "body beside a signature", fault: "body", wrong: { body: "{}", isSigned: true } },
    { what: "long body", fault: "body", wrong: { body: "a".repeat(10_001) } },
    { what: "event that does not exist", fault: "events", wrong: { events: ["record.deleted"] } },
  ])("is refused for a $what", async ({ fault, wrong }) => {
    await using opened = await openHooks();
    const { hooks } = opened.store;
    const refusal: unknown = await addHook(hooks, { ...WANTED, ...wrong }, false).catch((it: unknown) => it);
    expect(refusal).toBeInstanceOf(HookRefused);
    expect((refusal as HookRefused).fault as string).toBe(fault);
    expect((refusal as HookRefused).message).not.toMatch(/:pass|secret-/);
    expect(await hooks.list()).toEqual([]);
  });

  test("gets changes unless it says otherwise, and a secret of its own where it asks for one", async () => {
    await using opened = await openHooks();
    const plain = await addHook(opened.store.hooks, WANTED, false);
    expect([plain.events, plain.secret]).toEqual([["record.changed"], null]);
    const signed = { ...WANTED, isSigned: true, events: ["key.expiring", "key.expiring"] };
    const [one, two] = [
      await addHook(opened.store.hooks, signed, false),
      await addHook(opened.store.hooks, signed, false),
    ];
    expect(one.events).toEqual(["key.expiring"]);
    expect(one.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(two.secret).not.toBe(one.secret);
  });

  test("is shown without what is secret about it", async () => {
    await using opened = await openHooks();
    const hook = await addHook(opened.store.hooks, { ...WANTED, isSigned: true }, false);
    const seen = shown(hook);
    expect(seen).toMatchObject({ url: "https://8.8.8.8/…", headers: ["Authorization"], isSigned: true });
    expect(JSON.stringify(seen)).not.toMatch(/secret|token|whsec/);
  });

  test("can be tried at once, which its log tells", async () => {
    await using opened = await openHooks();
    await using receiver = new Receiver(
      ({ path }) => new Response("no", { status: path === "/bad" ? 500 : 202 }),
    );
    const { hooks } = opened.store;
    const good = await addHook(hooks, { ...WANTED, url: receiver.url("/good"), body: "go" }, true);
    const bad = await addHook(hooks, { ...WANTED, url: receiver.url("/bad") }, true);
    const options = { allowPrivate: true };
    expect(await testHook(hooks, good, options)).toEqual({ status: 202, fault: null });
    expect(await testHook(hooks, bad, options)).toEqual({ status: 500, fault: null });
    expect(await testHook(hooks, good, { allowPrivate: false })).toEqual({
      status: null,
      fault: "private-address",
    });
    expect(receiver.received.map(({ path, body }) => [path, body])).toEqual([
      ["/good", "go"],
      ["/bad", ""],
    ]);
    const logged = async (id: string) => (await hooks.log(id)).map(({ event, state }) => `${event} ${state}`);
    expect((await logged(good.id)).toSorted()).toEqual(["hook.test delivered", "hook.test failed"]);
    expect(await logged(bad.id)).toEqual(["hook.test failed"]);
  });
});

test("a header that is there twice is refused, however it is written", () => {
  expect(() => parseHeaders(["X-Token: a", "x-token: b"])).toThrow("x-token is there twice");
});

test.each([
  ["no colon", 'it is not of the form "Name: value"'],
  ["X-Name: Zoë", "it has more than the letters, digits and signs of ASCII in it"],
  ["X-Name: a\r\nX: b", "it has more than the letters, digits and signs of ASCII in it"],
  [`X-Name: ${"a".repeat(4000)}`, "it has more than 4000 characters"],
])("a refusal of the header %j says what is wrong with it", (line, message) => {
  expect(() => parseHeaders([line])).toThrow(message);
});

test("a header of very many spaces is refused at once", () => {
  const started = performance.now();
  expect(() => parseHeaders([`X: a${" ".repeat(20_000)}é`])).toThrow();
  expect(performance.now() - started).toBeLessThan(500);
});

test("headers are taken as they are typed, without the white space around them", () => {
  expect(parseHeaders(["X-Token:  a b ", "accept: */*", "Empty:"])).toEqual([
    ["X-Token", "a b"],
    ["accept", "*/*"],
    ["Empty", ""],
  ]);
});
