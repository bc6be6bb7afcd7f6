import { describe, expect, test } from "bun:test";
import { type RawAnswer, RawConnection, sendRaw, sendRawAndClose } from "../support/raw-connection.ts";
import { startTestServer } from "../support/server.ts";
import { BROWSER } from "../support/visitors.ts";

const KEY = "KEY";
const HOST = "Host: localhost\r\n";
const CLOSE = "Connection: close\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const AUTHORIZATION = `Authorization: Bearer ${KEY}\r\n`;

/** A whole request; KEY in it becomes a good key. */
function request(line: string, ...headers: string[]): string {
  return `${line} HTTP/1.1\r\n${headers.join("")}${AUTHORIZATION}\r\n`;
}

/** What a smuggler wants answered on a connection that is not his. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n";

async function send(bytes: string): Promise<RawAnswer[]> {
  const [answers = []] = await sendEach([bytes]);
  return answers;
}

/** Sends each sequence over a connection of its own to one server. */
async function sendEach(sequences: readonly string[]): Promise<RawAnswer[][]> {
  await using server = await startTestServer();
  const { key } = await server.key();
  return await Promise.all(sequences.map((bytes) => sendRaw(server.url, bytes.replaceAll(KEY, key))));
}

/** Sends each request over one connection, once the one before it is answered. */
async function sendInTurn(requests: readonly string[]): Promise<RawAnswer[]> {
  await using server = await startTestServer();
  const { key } = await server.key();
  using connection = await RawConnection.to(server.url);
  const answers: RawAnswer[] = [];
  for (const bytes of requests) answers.push(await connection.ask(bytes.replaceAll(KEY, key)));
  return answers;
}

describe("a Host header", () => {
  test.each([
    ["with a space", "Host: a b\r\n"],
    ["with a user in it", "Host: user@localhost\r\n"],
    ["with a path in it", "Host: localhost/user\r\n"],
    ["with a query in it", "Host: localhost?x\r\n"],
    ["with a port that is no number", "Host: localhost:http\r\n"],
    ["with two ports", "Host: localhost:80:80\r\n"],
    ["with a port beyond all ports", "Host: localhost:65536\r\n"],
    ["with a port of five nines", "Host: localhost:99999\r\n"],
    ["that is a bare IPv6 address", "Host: ::1\r\n"],
    ["with half a bracket", "Host: [::1\r\n"],
    ["with two names in it", "Host: a,b\r\n"],
    ["beyond ASCII", "Host: \xfc\r\n"],
    ["that is empty", "Host: \r\n"],
    ["with half a percent-encoding", "Host: a%b\r\n"],
    ["that is an IPv4 address of five numbers", "Host: 1.2.3.4.5\r\n"],
    ["that is an IPv6 address of nothing", "Host: [:]\r\n"],
    ["sent twice with different names", "Host: a\r\nHost: b\r\n"],
    ["sent twice with one name", "Host: a\r\nHost: a\r\n"],
  ])("%s is a bad request, on every path, in JSON", async (_, host) => {
    const paths = ["/user/full", "/user/full/", "/healthz", "/nowhere", "/%ff"];
    const answers = await sendEach(paths.map((path) => request(`GET ${path}`, host, CLOSE)));
    const body = '{"statusCode":400,"message":"Malformed Host header","error":"Bad Request"}';
    expect(answers.map((each) => each.map((answer) => [answer.status, answer.body]))).toEqual(
      paths.map(() => [[400, body]]),
    );
  });

  test.each([
    ["a name", "Host: localhost\r\n"],
    ["a name and a port", "Host: vitrine.example:3000\r\n"],
    ["a name and an empty port", "Host: vitrine.example:\r\n"],
    ["a name and the last port of all", "Host: vitrine.example:65535\r\n"],
    ["an IPv4 address", "Host: 127.0.0.1:3000\r\n"],
    ["an IPv6 address", "Host: [::1]:3000\r\n"],
    ["a name with an underscore", "Host: my_host\r\n"],
  ])("with %s is accepted, however the path is written", async (_, host) => {
    const paths = ["/user/links", "/user/links/", "/%75ser/links", "/user/links?x"];
    const answers = await sendEach(paths.map((path) => request(`GET ${path}`, host, CLOSE)));
    expect(answers.map(([answer]) => answer?.status)).toEqual([200, 200, 200, 200]);
  });

  test("may be missing from HTTP/1.0, as a health check of old sends it", async () => {
    const paths = ["/healthz", "/user/links", "/user/links/"];
    const answers = await sendEach(paths.map((path) => `GET ${path} HTTP/1.0\r\n${AUTHORIZATION}\r\n`));
    expect(answers.map((each) => each.map(({ status }) => status))).toEqual([[200], [200], [200]]);
  });

  test("may be missing from HTTP/1.0 on pages, of which each that is shown is counted, and no other", async () => {
    await using server = await startTestServer();
    const statuses: (number | undefined)[] = [];
    for (const [path, headers] of [
      ["/t/everything-1", ""],
      ["/p/person-1", ""],
      ["/t/everything-1", "Host: a%b\r\n"],
    ]) {
      const sent = `GET ${path} HTTP/1.0\r\n${headers}User-Agent: ${BROWSER}\r\n\r\n`;
      const [answer] = await sendRaw(server.url, sent);
      statuses.push(answer?.status);
    }
    expect(statuses).toEqual([200, 200, 400]);
    expect((await server.counts()).map(({ count }) => count)).toEqual([1]);
  });

  test("is missed where a code is to lead somewhere, unless the server knows its own address", async () => {
    const ask = "GET /qr/everything-1.svg HTTP/1.0\r\n\r\n";
    for (const [publicUrl, status] of [
      ["", 400],
      ["https://links.example", 200],
    ] as const) {
      await using server = await startTestServer({ publicUrl });
      expect((await sendRaw(server.url, ask)).map((answer) => answer.status)).toEqual([status]);
    }
  });

  test("may be missing from HTTP/1.0 on a path that is not there", async () => {
    const [answer] = await send("GET /nowhere?x=1 HTTP/1.0\r\n\r\n");
    expect(answer?.body).toBe('{"statusCode":404,"message":"Cannot GET /nowhere","error":"Not Found"}');
  });

  test("must not be missing from HTTP/1.1", async () => {
    const answers = await send(request("GET /user/links"));
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test("is never repeated to the caller", async () => {
    for (const path of ["/user/full", "/nowhere"]) {
      const answers = await send(request(`GET ${path}`, "Host: evil.example\r\n", CLOSE));
      expect(JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]))).not.toContain("evil");
    }
  });
});

describe("a request that could be read in two ways gets 400 and the end of the connection", () => {
  test.each([
    [
      "a length and chunks",
      `${request("POST /user/full", HOST, "Content-Length: 6\r\n", "Transfer-Encoding: chunked\r\n")}0\r\n\r\n`,
    ],
    [
      "chunks and a length",
      `${request("POST /user/full", HOST, "Transfer-Encoding: chunked\r\n", "Content-Length: 6\r\n")}0\r\n\r\n`,
    ],
    [
      "two different lengths",
      `${request("POST /user/full", HOST, "Content-Length: 5\r\n", "Content-Length: 6\r\n")}hello`,
    ],
    ["a list of lengths", `${request("POST /user/full", HOST, "Content-Length: 5, 6\r\n")}hello`],
    ["a length with a sign", `${request("POST /user/full", HOST, "Content-Length: +5\r\n")}hello`],
    ["a negative length", `${request("POST /user/full", HOST, "Content-Length: -1\r\n")}hello`],
    ["a length in hexadecimal", `${request("POST /user/full", HOST, "Content-Length: 0x5\r\n")}hello`],
    ["an unknown transfer coding", request("POST /user/full", HOST, "Transfer-Encoding: xchunked\r\n")],
    ["a folded header", request("GET /user/full", HOST, "X-Folded: a\r\n b\r\n")],
    ["a space before a colon", request("GET /user/full", HOST, "Content-Length : 5\r\n")],
    ["no colon at all", request("GET /user/full", HOST, "nonsense\r\n")],
  ])("%s", async (_, bytes) => {
    const answers = await send(bytes + SMUGGLED);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test.each([
    ["a chunk whose size is no number", "zz\r\nhello\r\n0\r\n\r\n"],
    ["a chunk that is longer than it says", "3\r\nhello\r\n0\r\n\r\n"],
    ["a chunk size with a sign", "+5\r\nhello\r\n0\r\n\r\n"],
    ["a chunk with a bare line feed in its extension", "5;a\nb\r\nhello\r\n0\r\n\r\n"],
  ])("%s, even behind a request that was answered already", async (_, body) => {
    for (const method of ["POST", "GET"]) {
      const answers = await send(
        `${request(`${method} /user/links`, HOST, "Transfer-Encoding: chunked\r\n")}${body}${SMUGGLED}`,
      );
      expect(answers.at(-1)?.status).toBe(400);
      expect(answers.map((answer) => answer.body).join()).not.toContain('"status":"ok"');
    }
  });
});

describe("a body", () => {
  test.each([
    ["GET", 200],
    ["POST", 405],
  ])("of a %s is no second request", async (method, status) => {
    const length = `Content-Length: ${SMUGGLED.length}\r\n`;
    const [first, second] = await sendInTurn([
      request(`${method} /user/links`, HOST, length) + SMUGGLED,
      request("GET /user/jobs", HOST),
    ]);
    expect(first?.status).toBe(status);
    expect(second?.body).toStartWith("[");
  });

  test("of any announced size does not change that a method is wrong", async () => {
    const [answer] = await send(request("POST /user/links", HOST, "Content-Length: 10000000000\r\n", CLOSE));
    expect(answer?.status).toBe(405);
    expect(answer?.body).toBe(
      '{"statusCode":405,"message":"Method Not Allowed","error":"Method Not Allowed"}',
    );
  });

  test.each(["GET", "POST"])(
    "of a %s in chunks is no second request, and ends the connection",
    async (method) => {
      const size = SMUGGLED.length.toString(16);
      const answers = await send(
        `${request(`${method} /user/links`, HOST, CHUNKED)}${size}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
      );
      expect(answers.map(({ status }) => status)).toEqual([method === "GET" ? 200 : 405]);
      expect(answers[0]?.headers.get("connection")).toBe("close");
    },
  );

  test.each(["/healthz", "/user/links", "/t/everything-1", "/nowhere"])(
    "in chunks, with a trailer behind it, gets one answer at %s, however it comes",
    async (path) => {
      await using server = await startTestServer();
      const { key } = await server.key();
      for (const method of ["GET", "POST"]) {
        const head = request(`${method} ${path}`, HOST, CHUNKED).replaceAll(KEY, key);
        const [chunk, last, trailer] = ["5\r\nhello\r\n", "0\r\n", "X-Trailer: a\r\n\r\n"];
        for (const pieces of [
          [head + chunk + last + trailer],
          [head, chunk + last + trailer],
          [head + chunk, last + trailer],
          [head + chunk + last, trailer],
          [head, chunk, last, trailer],
        ]) {
          using connection = await RawConnection.to(server.url);
          for (const piece of pieces) {
            connection.send(piece);
            await Bun.sleep(1);
          }
          await connection.closed;
          expect({ pieces, answers: connection.answers().length }).toEqual({ pieces, answers: 1 });
        }
      }
    },
  );
});

describe("a request that is no HTTP of this century", () => {
  test.each([
    ["one word", "GARBAGE\r\n\r\n"],
    ["a path without its slash", request("GET user/full", HOST)],
    ["a space in the path", request("GET /user/fu ll", HOST)],
    ["a version to come", `GET /user/full HTTP/2.0\r\n${HOST}\r\n`],
    ["no version at all", "GET /user/full\r\n\r\n"],
    ["the greeting of another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
  ])(
    "such as %s is refused once, as malformed or of a wrong version, and the connection ended",
    async (_, bytes) => {
      const [answer, ...more] = await send(bytes + SMUGGLED);
      expect([400, 505]).toContain(answer?.status as number);
      expect(more).toEqual([]);
    },
  );
});

describe("headers beyond what the server takes", () => {
  test.each([
    ["one of 20 KB", `X-Long: ${"a".repeat(20_000)}\r\n`],
    ["a key of 20 KB", `Authorization: Bearer ${"a".repeat(20_000)}\r\n`],
    ["250 of them", Array.from({ length: 250 }, (_, index) => `X-${index}: a\r\n`).join("")],
  ])("(%s) get 431 and the end of the connection", async (_, headers) => {
    const answers = await send(request("GET /user/full", HOST, headers) + SMUGGLED);
    expect(answers.map(({ status }) => status)).toEqual([431]);
  });

  test("as a path of 20 KB get no success", async () => {
    const answers = await send(request(`GET /user/linktrees/${"a".repeat(20_000)}`, HOST));
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe("requests on one connection", () => {
  test("that come together are answered in their order where it is not data that they ask for", async () => {
    const paths = ["/nowhere", "/healthz", "/docs"];
    const answers = await send(
      paths
        .map((path, index) => `GET ${path} HTTP/1.1\r\n${HOST}X-Request-Id: ${index}\r\n\r\n`)
        .join("")
        .replace(/\r\n\r\n$/, `\r\n${CLOSE}\r\n`),
    );
    expect(answers.map(({ status, headers }) => [headers.get("x-request-id"), status])).toEqual([
      ["0", 404],
      ["1", 200],
      ["2", 200],
    ]);
  });

  test("that come together get no answer where the first takes a moment, and end it", async () => {
    const person = `User-Agent: ${BROWSER}\r\n`;
    const answers = await sendEach(
      ["/user/full", "/t/everything-1", "/openapi.json"].map(
        (path) => request(`GET ${path}`, HOST, person) + request("GET /healthz", HOST, CLOSE),
      ),
    );
    expect(answers).toEqual([[], [], []]);
  });

  test("are each judged by their own key", async () => {
    const answers = await sendInTurn([
      request("GET /user/links", HOST),
      `GET /user/links HTTP/1.1\r\n${HOST}\r\n`,
      request("GET /user/links", HOST),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
  });

  test("go on after a refusal", async () => {
    const answers = await sendInTurn([
      request("DELETE /user/links", HOST),
      request("GET /user/links", "Host: a b\r\n"),
      request("GET /user/links", HOST, CLOSE),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([405, 400, 200]);
  });
});

describe("a caller that closes its own side behind the request", () => {
  test("gets an answer that is there at once, and none that has to be waited for", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const person = `User-Agent: ${BROWSER}\r\n`;
    const statusesOf = async (path: string) => {
      const bytes = request(`GET ${path}`, HOST, person).replaceAll(KEY, key);
      return (await sendRawAndClose(server.url, bytes)).map(({ status }) => status);
    };
    expect(await statusesOf("/user/full")).toEqual([200]);
    expect(await statusesOf("/t/everything-1")).toEqual([]);
  });
});

describe("a method", () => {
  test.each(["TRACE", "CONNECT", "PROPFIND", "PURGE", "LINK", "QUERY", "M-SEARCH"])(
    "that is known but has no place here, %s, gets 405",
    async (method) => {
      const [answer] = await send(request(`${method} /user/full`, HOST, CLOSE));
      expect(answer?.status).toBe(405);
      expect(answer?.headers.get("allow")).toBe("GET, HEAD");
      expect(answer?.body).not.toContain("Bearer");
    },
  );

  test.each(["get", "FOO", "GETS", "G", "POSTGET"])(
    "that nobody knows, %s, gets no success",
    async (method) => {
      const answers = await send(request(`${method} /user/full`, HOST));
      for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
    },
  );

  test("HEAD ends with its headers, on the wire too", async () => {
    const [answer, ...more] = await send(request("HEAD /user/full", HOST, CLOSE));
    expect(Number(answer?.headers.get("content-length"))).toBeGreaterThan(1000);
    expect(answer?.body).toBe("");
    expect(more).toEqual([]);
  });
});

describe("a target", () => {
  test("with a slash too many at its beginning is another path", async () => {
    const [answer] = await send(request("GET //user/full", HOST, CLOSE));
    expect(answer?.status).toBe(404);
    expect(answer?.body).toContain("Cannot GET //user/full");
  });

  test("in absolute form is served by its path alone", async () => {
    const [answer] = await send(request("GET http://other.example/user/links", HOST, CLOSE));
    expect(answer?.status).toBe(200);
  });

  test.each(["/user/linktrees/../../../etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"])(
    "that climbs, %s, leads nowhere",
    async (path) => {
      const [answer] = await send(request(`GET ${path}`, HOST, CLOSE));
      expect(answer?.status).toBe(404);
    },
  );

  test.each(["/user/linktrees/\xff", "/user/linktrees/caf\xe9/", "/t/\xe2\x82", "/nowhere/\xff", "/\xff"])(
    "of raw bytes that are no UTF-8, %p, is a bad request",
    async (path) => {
      const [answer] = await send(request(`GET ${path}`, HOST, CLOSE));
      expect(answer?.status).toBe(400);
      expect(answer?.body).toContain("Malformed percent-encoding in the path");
    },
  );

  test("of raw bytes that are UTF-8 is the path that they say", async () => {
    const [answer] = await send(request("GET /user/linktrees/\xc3\xa9", HOST, CLOSE));
    expect(answer?.body).toContain("Link tree not found");
  });

  test("of raw bytes behind a question mark is a query, and ignored", async () => {
    const [answer] = await send(request("GET /user/links?\xff", HOST, CLOSE));
    expect(answer?.status).toBe(200);
  });
});
