import { describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { makeClient } from "../../client/src/client.ts";
import { codeOf } from "../../client/src/error-code.ts";
import {
  type Vitrine,
  VitrineError,
  VitrineFailure,
  VitrineNetworkError,
  type VitrineOptions,
  VitrineTimeoutError,
  vitrine,
} from "../../client/src/index.ts";
import { realTime } from "../../client/src/time.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { mintKey } from "../../src/keys/key.ts";
import { startNeighbour } from "../support/neighbour.ts";
import { startTestServer } from "../support/server.ts";

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const outcome = await call.then(
    () => "no error",
    (error: Error) => error,
  );
  if (typeof outcome === "string") throw new Error("the call did not fail");
  return outcome;
}

describe("an error of the server becomes a VitrineError", () => {
  test("with its status, message, name and request id", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    const error = await failureOf(vitrine({ url: server.url, key }).full());
    expect(error).toBeInstanceOf(VitrineError);
    expect(error).toMatchObject({
      name: "VitrineError",
      statusCode: 401,
      code: "expired_key",
      message: "API Key Expired",
      error: "Unauthorized",
      retryAfter: undefined,
    });
    const logged = server.logged().find(({ status }) => status === 401);
    expect((error as VitrineError).requestId).toBe(logged?.requestId as string);
  });

  test("with the code that the server's own table has for it", () => {
    for (const [code, { statusCode, message }] of Object.entries(ERRORS))
      expect<string | undefined>(codeOf(statusCode, message.replace("{detail}", "GET /path"))).toBe(code);
    expect(codeOf(404, "Not here")).toBeUndefined();
    expect(codeOf(403, "Blocked by a proxy")).toBeUndefined();
  });

  test("where the key is confined to other paths", async () => {
    await using server = await startTestServer();
    const { key } = await server.key({ paths: ["links"] });
    const me = vitrine({ url: server.url, key });
    await me.links();
    expect(await failureOf(me.full())).toMatchObject({ statusCode: 403, code: "key_not_allowed" });
  });

  test("with the seconds to wait, where the limit is exceeded and the budget is too small", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const me = vitrine({ url: server.url, key: (await server.key()).key, retryBudget: 59_999 });
    await me.full();
    expect(await failureOf(me.full())).toMatchObject({
      statusCode: 429,
      message: "Rate limit exceeded",
      retryAfter: 60,
    });
    expect(server.logged().filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test.each([
    ["a page of a proxy", "<h1>Bad Gateway</h1>"],
    ["nothing", ""],
    ["JSON of another form", '"no"'],
    ["null", "null"],
    ["half of what Vitrine says", '{"message":"no"}'],
  ])("even where something else answers, with %s", async (_, body) => {
    await using near = startNeighbour(() => new Response(body, { status: 502 }));
    const error = await failureOf(vitrine({ url: near.url, key: "key", retryBudget: 0 }).full());
    expect(error).toBeInstanceOf(VitrineError);
    const message = `${near.url}/user/full answered with HTTP status 502`;
    expect(error).toMatchObject({ statusCode: 502, message, error: "" });
    expect((error as VitrineError).code).toBeUndefined();
  });
});

describe("what is no answer of Vitrine becomes a VitrineNetworkError:", () => {
  test("nobody there, with the reason and the cause", async () => {
    const near = startNeighbour(() => new Response());
    await near[Symbol.asyncDispose]();
    const error = await failureOf(vitrine({ url: near.url, key: "key" }).full());
    expect(error).toBeInstanceOf(VitrineNetworkError);
    expect(error).toMatchObject({
      message: `${near.url}/user/full cannot be reached: the connection was refused (ECONNREFUSED)`,
      reason: "refused",
      cause: expect.any(Error),
    });
  });

  test("what a runtime says without a code, as a browser does", async () => {
    const told = new TypeError("Failed to fetch");
    const fetch = () => Promise.reject(told);
    const error = await failureOf(vitrine({ url: "https://a.example", key: "key", fetch }).full());
    expect(error).toMatchObject({
      message: "https://a.example/user/full cannot be reached: Failed to fetch",
      reason: undefined,
      cause: told,
    });
  });

  test("what a runtime gives a code and no words, as Node does of a host whose addresses all fail", async () => {
    const failed = Object.assign(new AggregateError([new Error("connect ETIMEDOUT")]), { code: "ETIMEDOUT" });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: failed }));
    const error = await failureOf(vitrine({ url: "https://a.example", key: "key", fetch }).full());
    expect(error.message).toBe("https://a.example/user/full cannot be reached: ETIMEDOUT");
  });

  test.each([
    [
      "dns",
      "client error (Connect): dns error: failed to lookup address information: Name or service not known",
    ],
    ["refused", "client error (Connect): tcp connect error: Connection refused (os error 111)"],
    ["lost", "client error (SendRequest): connection closed before message completed"],
    ["lost", "Connection reset by peer (os error 104)"],
    ["lost", "error reading a body from connection"],
    ["tls", "client error (Connect): received corrupt message of type InvalidContentType"],
    ["tls", "client error (Connect): invalid peer certificate: UnknownIssuer"],
  ])("what a runtime says in words alone, as Deno does: %s, by %s", async (reason, words) => {
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: new Error(words) }));
    const me = vitrine({ url: "https://a.example", key: "key", fetch, retryBudget: 0 });
    const message = `https://a.example/user/full cannot be reached: ${words}`;
    expect(await failureOf(me.full())).toMatchObject({ reason, message });
  });

  test("a page where JSON should be", async () => {
    await using near = startNeighbour(() => new Response("<h1>Log in to the network</h1>"));
    const error = await failureOf(vitrine({ url: near.url, key: "key" }).full());
    expect(error).toBeInstanceOf(VitrineNetworkError);
    expect(error.message).toContain("other than JSON");
  });

  test("a redirect, which is not followed, so that the key goes nowhere else", async () => {
    await using elsewhere = startNeighbour(() => Response.json({}));
    await using near = startNeighbour(() => Response.redirect(`${elsewhere.url}/user/full`, 302));
    const error = await failureOf(vitrine({ url: near.url, key: "key" }).full());
    expect(error).toBeInstanceOf(VitrineNetworkError);
    expect(error.message).toBe(
      `${near.url}/user/full redirects to ${elsewhere.url}/user/full, and the key is not sent there`,
    );
    expect(elsewhere.asked).toEqual([]);
  });
});

describe("time that is up becomes a VitrineTimeoutError", () => {
  test("where nobody answers", async () => {
    using silent = await listenInSilence();
    const error = await failureOf(vitrine({ url: silent.url, key: "key", timeout: 20 }).full());
    expect(error).toBeInstanceOf(VitrineTimeoutError);
    expect(error.message).toBe(`${silent.url}/user/full did not answer within 20 ms`);
  });

  test("where a fetch of the caller's does not follow the signal that it is given", async () => {
    const fetch = () => new Promise<never>(() => {});
    const me = vitrine({ url: "https://a.example", key: "key", timeout: 20, fetch });
    expect(await failureOf(me.full())).toBeInstanceOf(VitrineTimeoutError);
  });

  test("where the body never ends", async () => {
    await using near = startNeighbour(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode("[")),
          }),
        ),
    );
    const error = await failureOf(vitrine({ url: near.url, key: "key", timeout: 200 }).jobs());
    expect(error).toBeInstanceOf(VitrineTimeoutError);
  });
});

/** Takes connections and never says a word. */
async function listenInSilence() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

describe("a signal", () => {
  const reason = new Error("the visitor left");
  const calls: [string, (url: string, key: string, signal: AbortSignal) => Promise<unknown>][] = [
    ["of a call", (url, key, signal) => vitrine({ url, key }).full({ signal })],
    ["of the client", (url, key, signal) => vitrine({ url, key, signal }).full()],
  ];

  test.each(calls)("%s ends a request, with its reason", async (_, call) => {
    const ending = new AbortController();
    await using near = startNeighbour(() => {
      ending.abort(reason);
      return new Promise<Response>(() => {});
    });
    expect(await failureOf(call(near.url, "key", ending.signal))).toBe(reason);
  });

  test.each(calls)("%s that was given before keeps the request from being sent", async (_, call) => {
    await using near = startNeighbour(() => Response.json([]));
    expect(await failureOf(call(near.url, "key", AbortSignal.abort(reason)))).toBe(reason);
    expect(near.asked).toEqual([]);
  });

  test.each(["of a call", "of the client"])("%s ends a wait", async (whose) => {
    await using near = startNeighbour(
      () => new Response(null, { status: 503, headers: { "Retry-After": "60" } }),
    );
    const ending = new AbortController();
    const { signal } = ending;
    const me = makeClient(
      { url: near.url, key: "key", ...(whose === "of the client" && { signal }) },
      {
        now: realTime.now,
        wait(milliseconds, waiting) {
          const wait = realTime.wait(milliseconds, waiting);
          ending.abort(reason);
          return wait;
        },
      },
    );
    expect(await failureOf(me.full(whose === "of a call" ? { signal } : {}))).toBe(reason);
    expect(near.asked).toHaveLength(1);
  });

  const stuck: [string, (wait: () => Promise<never>) => Partial<VitrineOptions>][] = [
    ["a cache that does not answer", (wait) => ({ cache: { get: wait, set() {} } })],
    ["a cache that does not take what it is given", (wait) => ({ cache: { get: () => null, set: wait } })],
    ["a fetch of the caller's that does not follow it", (wait) => ({ fetch: wait })],
  ];

  test.each(stuck)("ends a call that waits for %s", async (_, part) => {
    await using near = startNeighbour(() => Response.json([], { headers: { ETag: '"tag"' } }));
    const ending = new AbortController();
    const options = part(() => {
      ending.abort(reason);
      return new Promise(() => {});
    });
    const call = vitrine({ url: near.url, key: "key", ...options }).jobs({ signal: ending.signal });
    expect(await failureOf(call)).toBe(reason);
  });

  test("has one listener for all calls that follow it, and none when they are over", async () => {
    await using near = startNeighbour(() => Response.json([]));
    const { signal } = new AbortController();
    const listeners: number[] = [];
    const { addEventListener, removeEventListener } = signal;
    const count = (change: number) => listeners.push((listeners.at(-1) ?? 0) + change);
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      count(1);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      count(-1);
      removeEventListener.apply(signal, args);
    };
    const me = vitrine({ url: near.url, key: "key", signal });
    await Promise.all([me.jobs(), me.projects({ signal }), me.education()]);
    expect(listeners).toEqual([1, 0]);
  });

  test("ends all calls that follow it", async () => {
    const ending = new AbortController();
    await using near = startNeighbour(() => new Promise<Response>(() => {}));
    const me = vitrine({ url: near.url, key: "key", signal: ending.signal });
    const failures = [failureOf(me.jobs()), failureOf(me.projects())];
    ending.abort(reason);
    expect(await Promise.all(failures)).toEqual([reason, reason]);
  });
});

test("whatever goes wrong is a VitrineFailure", () => {
  const body = { statusCode: 404, message: "Link tree not found", error: "Not Found" };
  for (const error of [new VitrineError(body), new VitrineNetworkError("no"), new VitrineTimeoutError("no")])
    expect(error).toBeInstanceOf(VitrineFailure);
});

test("no error holds the key", async () => {
  const key = mintKey();
  await using server = await startTestServer();
  await using page = startNeighbour(() => new Response("<h1>Hello</h1>"));
  await using near = startNeighbour(() => new Response(null, { status: 302, headers: { Location: "/" } }));
  using silent = await listenInSilence();
  const gone = startNeighbour(() => new Response());
  await gone[Symbol.asyncDispose]();
  for (const { url } of [server, page, near, silent, gone]) {
    const me: Vitrine = vitrine({ url, key, timeout: 200 });
    const error = await failureOf(me.full());
    const told = [error.message, error.stack, JSON.stringify(error), Bun.inspect(error, { depth: 9 })];
    expect(told.join()).not.toContain(key);
  }
});
