import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { hashKey } from "../../src/keys/key.ts";
import {
  type EveryAnswer,
  FAULT,
  provokeEveryAnswer,
  QUERY_STRING,
  secretsOfAnother,
} from "../support/every-answer.ts";
import { writtenRecord } from "../support/records.ts";

type Place = "answers" | "log";

interface MustNotAppear {
  readonly what: string;
  readonly in: readonly Place[];
  /** The texts, or the pattern of them, that would give it away. */
  readonly signs: (
    asked: EveryAnswer,
  ) => Promise<readonly (string | RegExp)[]> | readonly (string | RegExp)[];
}

/** What must never appear, and where. Nothing is taken off this list without a decision that says why. */
const MUST_NOT_APPEAR: readonly MustNotAppear[] = [
  { what: "the text of a key", in: ["answers", "log"], signs: ({ keys }) => keys },
  {
    what: "the random part of a key",
    in: ["answers", "log"],
    signs: ({ keys }) => keys.map((key) => key.slice(4, 47)),
  },
  {
    what: "the hash of a key in hexadecimal",
    in: ["answers", "log"],
    signs: ({ keys }) => hashes(keys, "hex"),
  },
  {
    what: "the hash of a key in Base64",
    in: ["answers", "log"],
    signs: ({ keys }) => hashes(keys, "base64"),
  },
  {
    what: "the hash of a key in Base64 for URLs",
    in: ["answers", "log"],
    signs: ({ keys }) => hashes(keys, "base64url"),
  },
  {
    what: "anything of another user",
    in: ["answers", "log"],
    signs: ({ server }) => secretsOfAnother(server),
  },
  { what: "an e-mail address", in: ["log"], signs: () => [writtenRecord(1).email, /[\w.]+@[\w.]+/, "%40"] },
  { what: "a query string", in: ["answers", "log"], signs: () => [QUERY_STRING, "query-secret", "?token"] },
  {
    what: "a slug or a path that was asked for",
    in: ["log"],
    signs: () => ["everything-1", "/nowhere", "%ff"],
  },
  { what: "a count of views", in: ["answers", "log"], signs: () => [/views?\b/i, /viewCount/i] },
  { what: "a count of clicks", in: ["answers", "log"], signs: () => [/clicks?\b/i, /clickCount/i] },
  {
    what: "a stack trace",
    in: ["answers"],
    signs: () => [/\bat .*:\d+:\d+/, /\bat async\b/, "TypeError", "StoreUnavailable"],
  },
  { what: "the message of a fault", in: ["answers"], signs: () => [FAULT, "unable to open"] },
  {
    what: "a path of the file system",
    in: ["answers"],
    signs: () => [
      "/srv/",
      "/tmp/",
      process.cwd(),
      "/home/",
      "node_modules",
      "vitrine.db",
      "src/",
      ".ts:",
      import.meta.dir,
    ],
  },
  {
    what: "the store's own number of a user",
    in: ["answers", "log"],
    signs: () => ["userNumber", "user_number"],
  },
  {
    what: "what the server is made of",
    in: ["answers"],
    signs: () => [/\bbun\b/i, /sqlite/i, /x-powered-by/i],
  },
];

function hashes(keys: readonly string[], encoding: "hex" | "base64" | "base64url"): string[] {
  return keys.map((key) => Buffer.from(hashKey(key)).toString(encoding).replace(/=+$/, ""));
}

function holds(text: string, sign: string | RegExp): boolean {
  return typeof sign === "string"
    ? sign !== "" && text.toLowerCase().includes(sign.toLowerCase())
    : sign.test(text);
}

let asked: EveryAnswer;

beforeAll(async () => {
  asked = await provokeEveryAnswer();
});

afterAll(async () => {
  await asked.server[Symbol.asyncDispose]();
});

test("every route was made to give every answer that it has", () => {
  const statuses = new Map(ROUTES.map(({ path }) => [path as string, new Set<number>()]));
  for (const line of asked.server.logged()) statuses.get(String(line.route))?.add(Number(line.status));
  for (const [path, seen] of statuses) {
    const own = path.endsWith(":slug") ? [404] : [];
    expect({ path, statuses: [...seen].toSorted() }).toEqual({
      path,
      statuses: [200, 204, 304, 400, 401, 403, 405, 429, 500, 503, ...own].toSorted(),
    });
  }
});

describe("never appears", () => {
  test.each(
    MUST_NOT_APPEAR.filter((row) => row.in.includes("answers")).map((row) => [row.what, row] as const),
  )("in any answer: %s", async (_, { signs }) => {
    const texts = asked.answers.map(({ title, headers, body }) => ({
      title,
      text: `${[...headers].map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${body}`,
    }));
    for (const sign of await signs(asked))
      expect({ sign, in: texts.filter(({ text }) => holds(text, sign)).map(({ title }) => title) }).toEqual({
        sign,
        in: [],
      });
  });

  test.each(MUST_NOT_APPEAR.filter((row) => row.in.includes("log")).map((row) => [row.what, row] as const))(
    "in any line of the log: %s",
    async (_, { signs }) => {
      const lines = asked.server.logged().map((line) => JSON.stringify(line));
      expect(lines.length).toBeGreaterThanOrEqual(asked.answers.length);
      for (const sign of await signs(asked))
        expect({ sign, in: lines.filter((line) => holds(line, sign)) }).toEqual({ sign, in: [] });
    },
  );
});

/** Answers about the server, which are wrong a moment later. */
const NOT_KEPT = ["GET /healthz: 200", "GET /readyz: 200", "GET /readyz: 503"];

describe("every answer", () => {
  const expected = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
  };

  test("carries the security headers", () => {
    for (const { title, headers } of asked.answers) {
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
      expect({ title, ...found }).toEqual({ title, ...expected });
    }
  });

  test("forbids shared caches to keep it", () => {
    for (const { title, headers } of asked.answers) {
      const wanted = NOT_KEPT.includes(title) ? "no-store" : "private, no-cache";
      expect({ title, cacheControl: headers.get("Cache-Control") }).toEqual({ title, cacheControl: wanted });
    }
  });

  test("carries a request id of its own", () => {
    const ids = asked.answers.map(({ headers }) => headers.get("X-Request-Id"));
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("sets no cookie", () => {
    for (const { title, headers } of asked.answers)
      expect({ title, cookies: headers.getSetCookie() }).toEqual({ title, cookies: [] });
  });

  test("that has a body is JSON and says so", () => {
    for (const { title, headers, body } of asked.answers) {
      if (body === "") continue;
      expect({ title, type: headers.get("Content-Type") }).toEqual({
        title,
        type: "application/json; charset=utf-8",
      });
      expect(() => JSON.parse(body)).not.toThrow();
    }
  });
});

describe("a fault", () => {
  test("is in the log with its cause, so that what the answers leave out is not lost", () => {
    const faults = asked.server.logged().filter(({ level }) => level === "error");
    expect(faults).toHaveLength(2 * (ROUTES.length + 1));
    for (const { reason } of faults) expect(reason).toContain(FAULT);
  });
});
