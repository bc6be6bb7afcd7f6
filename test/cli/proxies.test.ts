import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { done, load, withKey } from "../support/command-line.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { describeWithEachProxy, type RunningProxy, type StartProxy } from "../support/proxies.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const CALLERS = 8;
const REQUESTS = 150;

const ATTACKERS = 4;

/** Long enough for an answer to come before the rest of its request goes out. */
const PIECE_MS = 4;

/** A proxy before two instances that share a database with one person in it. */
interface SetUp extends AsyncDisposable {
  readonly proxy: RunningProxy;
  readonly instances: readonly [ServingProgram, ServingProgram];
  readonly key: string;
}

async function setUp(start: StartProxy): Promise<SetUp> {
  await using stack = new AsyncDisposableStack();
  const program = stack.use(new Program({ LIMIT_DEFAULT: "1000000" }));
  await load(program, writtenRecord(1));
  const key = await done(program, ["key", "create", writtenRecord(1).email]);
  const instances = [stack.use(await program.serve()), stack.use(await program.serve())] as const;
  const proxy = stack.use(await start([instances[0].url, instances[1].url]));
  const opened = stack.move();
  return { proxy, instances, key, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Asks many times, by several callers, and returns what was not as it should be. */
async function wrongAnswers({ proxy, key }: SetUp): Promise<string[]> {
  const wrong: string[] = [];
  const call = async (caller: number) => {
    for (let count = 0; count < REQUESTS; count++) {
      const id = `${caller}-${count}`;
      const headers = { ...withKey(key).headers, "X-Request-Id": id };
      const outcome = await fetch(`${proxy.url}/user/links`, {
        headers,
        tls: { rejectUnauthorized: false },
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return `${response.status} ${response.headers.get("X-Request-Id")}`;
        },
        (error: Error) => `${error.name}: ${error.message}`,
      );
      if (outcome !== `200 ${id}`) wrong.push(`${id}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return wrong;
}

/** Sends the same request over one connection after the other, in pieces, until it is told to stop. */
function bombard({ proxy }: SetUp, ...pieces: string[]): { stop(): Promise<number> } {
  let going = true;
  let sent = 0;
  const each = async () => {
    while (going) {
      using connection = await RawConnection.to(proxy.url);
      for (const piece of pieces) {
        connection.send(piece);
        await Promise.race([connection.closed, Bun.sleep(PIECE_MS)]);
      }
      sent++;
    }
  };
  const all = Promise.all(Array.from({ length: ATTACKERS }, each));
  return {
    async stop() {
      going = false;
      await all;
      return sent;
    },
  };
}

describeWithEachProxy("before two instances", (start) => {
  /** For all that leave the instances running. */
  let scene: SetUp;
  beforeAll(async () => {
    scene = await setUp(start);
  }, 300_000);
  afterAll(() => scene[Symbol.asyncDispose]());

  test("passes on what Vitrine answers", async () => {
    expect(await wrongAnswers(scene)).toEqual([]);
  });

  test.each(["/mcp", "/mcp/"])("passes on what agents ask at %s", async (path) => {
    const response = await fetch(`${scene.proxy.url}${path}`, {
      method: "POST",
      headers: {
        ...withKey(scene.key).headers,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_links", arguments: {} },
      }),
      tls: { rejectUnauthorized: false },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("https://person1.example/");
  });

  test.each(["FOO", "GETS", "PROPFIND", "POST"])(
    "answers %s as Vitrine does what it has no place for, and harms nobody by it",
    async (method) => {
      const request = `${method} /healthz HTTP/1.1\r\nHost: links.example\r\nConnection: close\r\n\r\n`;
      using connection = await RawConnection.to(scene.proxy.url);
      connection.send(request);
      await connection.closed;
      const [answer, ...more] = connection.answers();
      expect([answer?.status, answer?.headers.get("allow"), answer?.body]).toEqual([
        405,
        "GET, HEAD",
        '{"statusCode":405,"message":"Method Not Allowed","error":"Method Not Allowed"}',
      ]);
      expect(answer?.headers.get("content-type")).toStartWith("application/json");
      expect(more).toEqual([]);
      const bombardment = bombard(scene, request);
      expect(await wrongAnswers(scene)).toEqual([]);
      expect(await bombardment.stop()).toBeGreaterThan(10);
    },
  );

  test.each([
    ["GET", "/healthz"],
    ["POST", "/mcp"],
  ])("gives nobody the answer to another's trailer behind a %s %s in chunks", async (method, path) => {
    const bombardment = bombard(
      scene,
      `${method} ${path} HTTP/1.1\r\nHost: links.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      "0\r\nX-Trailer: a\r\n\r\n",
    );
    expect(await wrongAnswers(scene)).toEqual([]);
    expect(await bombardment.stop()).toBeGreaterThan(10);
  });

  test("loses no request when an instance is gone", async () => {
    await using own = await setUp(start);
    expect(await own.instances[0].stop("SIGINT")).toBe(0);
    expect(await wrongAnswers(own)).toEqual([]);
  });
});
