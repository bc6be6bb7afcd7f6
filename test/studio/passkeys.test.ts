import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Passkey, SignedIn } from "../../src/studio/contract.ts";
import { Authenticator } from "../support/authenticator.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestStudio, type TestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

async function questionOf(studio: TestStudio): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return (await (await studio.call("beginPasskeySignIn")).json()) as PublicKeyCredentialRequestOptionsJSON;
}

async function withPasskey(origin?: string) {
  const studio = await startTestStudio();
  const as = await studio.enterAsOwner();
  const params = { user: (await studio.record()).id };
  const begun = await studio.call("beginPasskey", { as, params });
  const options = (await begun.json()) as PublicKeyCredentialCreationOptionsJSON;
  const authenticator = new Authenticator(origin ?? studio.url);
  const response = authenticator.register(options);
  const added = await studio.call("addPasskey", { as, params, body: { name: "phone", response } });
  return {
    studio,
    as,
    params,
    options,
    authenticator,
    response,
    added,
    [Symbol.asyncDispose]: () => studio[Symbol.asyncDispose](),
  };
}

describe("a passkey", () => {
  test("is made by its owner for localhost, and lets the owner in from then on", async () => {
    await using it = await withPasskey();
    expect(it.options.rp).toEqual({ id: "localhost", name: "Vitrine" });
    expect(it.options.authenticatorSelection).toMatchObject({ residentKey: "required" });
    expect((await it.added.json()) as Passkey).toMatchObject({ name: "phone", lastUsedAt: null });
    const { studio, authenticator } = it;
    for (const _ of [1, 2]) {
      const body = authenticator.answer(await questionOf(studio));
      const { who } = (await (await studio.call("signInByPasskey", { body })).json()) as SignedIn;
      expect(who).toMatchObject({ kind: "owner", user: { id: it.params.user } });
    }
    const list = await studio.call("listPasskeys", { as: it.as, params: it.params });
    expect(await list.json()).toMatchObject([{ name: "phone", lastUsedAt: "2026-04-12T08:30:00.000Z" }]);
  });

  test("answers a question once, and only one that was asked", async () => {
    await using it = await withPasskey();
    const { studio, authenticator } = it;
    const question = await questionOf(studio);
    const answer = authenticator.answer(question);
    expect((await studio.call("signInByPasskey", { body: answer })).status).toBe(200);
    expect((await studio.call("signInByPasskey", { body: answer })).status).toBe(403);
    const own = authenticator.answer({ challenge: "bWFkZSB1cA" });
    expect((await studio.call("signInByPasskey", { body: own })).status).toBe(403);
    const late = authenticator.answer(await questionOf(studio));
    studio.clock.advance(6 * 60 * 1000);
    expect((await studio.call("signInByPasskey", { body: late })).status).toBe(403);
    const registration = authenticator.answer({ challenge: it.options.challenge });
    expect((await studio.call("signInByPasskey", { body: registration })).status).toBe(403);
  });

  test("of another site, or one that nobody knows, lets nobody in", async () => {
    await using it = await withPasskey("https://evil.example");
    expect(it.added.status).toBe(403);
    const stranger = new Authenticator(it.studio.url).answer(await questionOf(it.studio));
    const refused = await it.studio.call("signInByPasskey", { body: stranger });
    expect([refused.status, await refused.json()]).toMatchObject([403, { fault: "not-allowed" }]);
  });

  test("is not made with the question of another owner, and not twice", async () => {
    await using it = await withPasskey();
    const { studio } = it;
    const other = await studio.enterAsOwner(writtenRecord(2).email);
    const params = { user: (await studio.record(writtenRecord(2).email)).id };
    const begun = await studio.call("beginPasskey", { as: it.as, params: it.params });
    const options = (await begun.json()) as PublicKeyCredentialCreationOptionsJSON;
    const response = new Authenticator(studio.url).register(options);
    const stolen = await studio.call("addPasskey", { as: other, params, body: { name: "x", response } });
    expect(stolen.status).toBe(403);
    const again = await studio.call("addPasskey", {
      as: it.as,
      params: it.params,
      body: { name: "x", response: it.response },
    });
    expect(again.status).toBe(403);
  });

  test("is not asked for beyond a hundred", async () => {
    await using it = await withPasskey();
    const { studio, as, params } = it;
    for (let number = 2; number <= 100; number++)
      await studio.store.access.passkeys.add(params.user, {
        id: `passkey-${number}`,
        name: "another",
        publicKey: new Uint8Array(1),
        counter: 0,
        transports: [],
      });
    const refused = await studio.call("beginPasskey", { as, params });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { fault: "not-allowed", message: "There are 100 passkeys already, which is the most." },
    ]);
    await studio.call("removePasskey", { as, params: { ...params, passkey: "passkey-2" } });
    expect((await studio.call("beginPasskey", { as, params })).status).toBe(200);
  });

  test("that is the last ends all sessions when it is removed", async () => {
    await using it = await withPasskey();
    const { studio, as, params } = it;
    const [{ id } = { id: "" }] = await studio.store.access.passkeys.of(params.user);
    const removed = await studio.call("removePasskey", { as, params: { ...params, passkey: id } });
    expect(removed.status).toBe(204);
    expect((await studio.call("listPasskeys", { as, params })).status).toBe(401);
    const body = it.authenticator.answer(await questionOf(studio));
    expect((await studio.call("signInByPasskey", { body })).status).toBe(403);
  });
});
