import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { seconds } from "../support/clock.ts";
import { sendRaw } from "../support/raw-connection.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { watching } from "../support/watched-reader.ts";

async function outcome(response: Response): Promise<string> {
  const { statusCode, message } = (await response.json()) as { statusCode?: number; message?: string };
  return response.status === 200 ? "200" : `${statusCode} ${message}`;
}

async function withAuthorization(server: TestServer, value: string): Promise<string> {
  return outcome(await server.get("/user/links", { Authorization: value }));
}

/** A key with one character changed for another. */
function mistyped(key: string): string {
  const last = key.at(-1) === "a" ? "b" : "a";
  return key.slice(0, -1) + last;
}

describe("every route", () => {
  test.each(ROUTES.map(({ path }) => path))("%s asks for a key, whatever is behind it", async (path) => {
    await using server = await startTestServer();
    for (const slug of ["everything-1", "nowhere"]) {
      const response = await server.get(path.replace(":slug", slug), {});
      expect(await outcome(response)).toBe("401 Unauthorized");
    }
  });
});

describe("the Authorization header", () => {
  test.each([
    ["Bearer", "Bearer KEY"],
    ["bearer", "bearer KEY"],
    ["BEARER", "BEARER KEY"],
    ["bEaReR", "bEaReR KEY"],
    ["several spaces", "Bearer    KEY"],
    ["spaces around it all", "   Bearer KEY   "],
  ])("is accepted with %s", async (_, value) => {
    await using server = await startTestServer();
    const { key } = await server.key();
    expect(await withAuthorization(server, value.replace("KEY", key))).toBe("200");
  });

  test.each([
    ["of the Basic scheme", "Basic cGVyc29uOnNlY3JldA=="],
    ["that holds nothing but a key", "KEY"],
    ["whose scheme only begins like Bearer", "BearerKEY"],
    ["whose scheme goes on after Bearer", "Bearer2 KEY"],
    ["with a tab for a space", "Bearer\tKEY"],
    ["of the Token scheme", "Token KEY"],
    ["that is empty", ""],
  ])("%s is no Bearer: Unauthorized", async (_, value) => {
    await using server = await startTestServer();
    const { key } = await server.key();
    expect(await withAuthorization(server, value.replace("KEY", key))).toBe("401 Unauthorized");
  });

  test.each([
    ["without a value", "Bearer"],
    ["with spaces for a value", "Bearer    "],
    ["with another kind of space before the key", "Bearer \u00a0KEY"],
    ["with something behind the key", "Bearer KEY extra"],
    ["with two keys", "Bearer KEY, KEY"],
    ["with the key in quotes", 'Bearer "KEY"'],
    ["with a value that is no key", "Bearer secret"],
    ["with a key in another case", "Bearer LOWER"],
  ])("%s is an invalid key", async (_, value) => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const sent = value.replaceAll("KEY", key).replace("LOWER", key.toLowerCase());
    expect(await withAuthorization(server, sent)).toBe("401 Invalid API Key");
  });

  test("sent twice is refused, even with the same good key", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const line = `Authorization: Bearer ${key}\r\n`;
    const [answer] = await sendRaw(
      server.url,
      `GET /user/links HTTP/1.1\r\nHost: localhost\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(answer?.status).toBe(401);
  });

  test("is found under its name in any case", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const [answer] = await sendRaw(
      server.url,
      `GET /user/links HTTP/1.1\r\nhOST: localhost\r\naUTHORIZATION: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer?.status).toBe(200);
  });
});

describe("a key elsewhere than in its header", () => {
  test.each(["api_key", "apiKey", "key", "access_token", "token", "Authorization"])(
    "is never looked at: not as ?%s=",
    async (name) => {
      const watched = watching();
      await using server = await startTestServer({ wrapReader: watched.wrapReader });
      const { key } = await server.key();
      const response = await server.get(`/user/full?${name}=${key}`, {});
      expect(await outcome(response)).toBe("401 Unauthorized");
      expect(watched.reader.reads).toBe(0);
    },
  );

  test("is never looked at: not in a body", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const [answer] = await sendRaw(
      server.url,
      `GET /user/full HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${key.length}\r\nConnection: close\r\n\r\n${key}`,
    );
    expect(answer?.status).toBe(401);
    expect(answer?.body).toContain('"message":"Unauthorized"');
  });

  test.each(["X-Api-Key", "Cookie", "Proxy-Authorization"])("is never looked at: not in %s", async (name) => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const response = await server.get("/user/full", { [name]: `Bearer ${key}` });
    expect(await outcome(response)).toBe("401 Unauthorized");
  });

  test("does not stand in for a bad one in its header", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const response = await server.get(`/user/full?api_key=${key}`, bearer("secret"));
    expect(await outcome(response)).toBe("401 Invalid API Key");
  });
});

describe("a mistyped key", () => {
  test("is turned away without a look at the store", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    const { key } = await server.key();
    for (const text of [
      mistyped(key),
      key.slice(0, -1),
      `${key}0`,
      key.replace("vit_", "vit-"),
      "secret",
      "",
    ])
      expect(await withAuthorization(server, `Bearer ${text}`)).toBe("401 Invalid API Key");
    expect(watched.reader.reads).toBe(0);
  });

  test("is turned away the same way when the store is away", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    watched.reader.failure = { error: new Error("away"), when: "at once" };
    expect(await withAuthorization(server, `Bearer ${mistyped(mintKey())}`)).toBe("401 Invalid API Key");
  });
});

describe("a key", () => {
  test("that is well formed but was never issued is invalid, after one look at the store", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    expect(await withAuthorization(server, `Bearer ${mintKey()}`)).toBe("401 Invalid API Key");
    expect(watched.reader.reads).toBe(1);
  });

  test("works with the very next request after it is made", async () => {
    await using server = await startTestServer();
    const key = mintKey();
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 Invalid API Key");
    await server.store.keys.create([
      { email: writtenRecord().email, hash: hashKey(key), name: null, expiresAt: null },
    ]);
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("200");
  });

  test("that is revoked stops working with the very next request, time after time", async () => {
    await using server = await startTestServer();
    for (let round = 0; round < 20; round++) {
      const { key, id } = await server.key();
      expect(await withAuthorization(server, `Bearer ${key}`)).toBe("200");
      await server.store.keys.revoke(id);
      expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 API Key Expired");
    }
  });

  test("that is revoked leaves the user's other keys alone", async () => {
    await using server = await startTestServer();
    const [one, other] = [await server.key(), await server.key()];
    await server.store.keys.revoke(one.id);
    expect(await withAuthorization(server, `Bearer ${other.key}`)).toBe("200");
  });

  test("works until the millisecond of its expiry, and no longer", async () => {
    await using server = await startTestServer();
    const { key } = await server.key({ expiresAt: server.clock.now() + seconds(90) });
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("200");
    server.clock.advance(seconds(90) - 1);
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("200");
    server.clock.advance(1);
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 API Key Expired");
  });

  test("that was revoked before it expired has expired either way", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key({ expiresAt: server.clock.now() + seconds(90) });
    await server.store.keys.revoke(id);
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 API Key Expired");
    server.clock.advance(seconds(90));
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 API Key Expired");
  });

  test("that is rotated works beside its successor for the grace period", async () => {
    await using server = await startTestServer();
    const old = await server.key();
    const next = mintKey();
    await server.store.keys.rotate(old.id, {
      hash: hashKey(next),
      expiresAt: null,
      oldExpiresAt: server.clock.now() + seconds(30),
    });
    expect(await withAuthorization(server, `Bearer ${next}`)).toBe("200");
    expect(await withAuthorization(server, `Bearer ${old.key}`)).toBe("200");
    server.clock.advance(seconds(30));
    expect(await withAuthorization(server, `Bearer ${next}`)).toBe("200");
    expect(await withAuthorization(server, `Bearer ${old.key}`)).toBe("401 API Key Expired");
  });

  test("that is rotated without grace stops working with the very next request", async () => {
    await using server = await startTestServer();
    const old = await server.key();
    const next = mintKey();
    const oldExpiresAt = server.clock.now();
    await server.store.keys.rotate(old.id, { hash: hashKey(next), expiresAt: null, oldExpiresAt });
    expect(await withAuthorization(server, `Bearer ${old.key}`)).toBe("401 API Key Expired");
    expect(await withAuthorization(server, `Bearer ${next}`)).toBe("200");
  });

  test("of a user who was deleted is no key of this service", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    await server.store.records.delete(writtenRecord().email);
    expect(await withAuthorization(server, `Bearer ${key}`)).toBe("401 Invalid API Key");
  });

  test("follows its owner to a new e-mail address", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const record = await server.store.records.find(writtenRecord().email);
    await server.store.records.save([checkedRecord({ ...record, email: "elsewhere@example.com" })]);
    const response = await server.get("/user/full", bearer(key));
    expect(await response.json()).toHaveProperty("email", "elsewhere@example.com");
  });

  test("that has ended is told so on every route, before its slug is looked at", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    for (const { path } of ROUTES) {
      const response = await server.get(path.replace(":slug", "nowhere"), bearer(key));
      expect(await outcome(response)).toBe("401 API Key Expired");
    }
  });

  test("leads to one look at the store per request", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    const { key } = await server.key();
    for (const { path } of ROUTES) await server.get(path.replace(":slug", "everything-1"), bearer(key));
    expect(watched.reader.reads).toBe(ROUTES.length);
  });
});

describe("the last use of a key", () => {
  test("is noted when the key was let in, with when it was last noted", async () => {
    const noted: [string, number | null][] = [];
    await using server = await startTestServer({
      keyUse: { note: (...use) => void noted.push(use) },
    });
    const { key, id } = await server.key();
    await server.get("/user/links", bearer(key));
    expect(noted).toEqual([[id, null]]);
  });

  test("is not noted for a key that was refused", async () => {
    const noted: string[] = [];
    await using server = await startTestServer({ keyUse: { note: (id) => void noted.push(id) } });
    const revoked = await server.key();
    await server.store.keys.revoke(revoked.id);
    const expired = await server.key({ expiresAt: server.clock.now() });
    for (const { key } of [revoked, expired, { key: mintKey() }, { key: "secret" }])
      expect((await server.get("/user/links", bearer(key))).status).toBe(401);
    expect(noted).toEqual([]);
  });
});
