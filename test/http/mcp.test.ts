import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { ROUTES } from "../../src/contract/routes.ts";
import { mintKey } from "../../src/keys/key.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { Agent, ASKED } from "../support/agents.ts";
import { withValue } from "../support/edit-record.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { watching } from "../support/watched-reader.ts";

const GENERATIONS: readonly {
  readonly name: string;
  readonly protocol: string;
  readonly connect: (url: string, key: string) => Promise<Agent>;
}[] = [
  { name: "today's", protocol: "2026-07-28", connect: (url, key) => Agent.today(url, key) },
  { name: "the previous", protocol: "2025-11-25", connect: (url, key) => Agent.before(url, key) },
  {
    name: "today's, of the protocol of before,",
    protocol: "2025-11-25",
    connect: (url, key) => Agent.today(url, key, "legacy"),
  },
];

/** What a client of the protocol of before says first. */
const OPENING = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function post(
  { url }: TestServer,
  headers: Record<string, string>,
  body: unknown = OPENING,
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** What the API answers to the question of a tool. */
async function answeredByApi(server: TestServer, key: string, tool: string): Promise<unknown> {
  const { route, list } = ASKED[tool] ?? { route: "full" };
  const path = ROUTES.find(({ name }) => name === route)?.path.replace(":slug", "everything-1") ?? "";
  const answer = (await (await server.get(path, bearer(key))).json()) as Record<string, unknown>;
  if (tool === "get_profile") {
    const { jobs, projects, linkTrees, education, ...account } = answer;
    return account;
  }
  return list === undefined ? answer : { [list]: answer };
}

describe.each(GENERATIONS)("$name official client", ({ protocol, connect }) => {
  test("gets from every tool what the API answers, in the shape that the tool names, with a text copy", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    await using agent = await connect(server.url, key);
    expect(agent.protocol).toBe(protocol);
    const tools = await agent.tools();
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(ASKED));
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    for (const { name, annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      const { structuredContent, text, isError } = await agent.call(
        name,
        name === "get_link_tree" ? { slug: "everything-1" } : {},
      );
      expect({ name, isError: isError ?? false }).toEqual({ name, isError: false });
      expect(structuredContent).toEqual(await answeredByApi(server, key, name));
      expect(JSON.parse(text)).toEqual(structuredContent);
      expect({ name, fits: ajv.validate(outputSchema ?? {}, structuredContent) }).toEqual({
        name,
        fits: true,
      });
    }
    expect(JSON.stringify(tools)).not.toMatch(/views|clicks/i);
  });

  test("reads the full record and the JSON Resume as resources, byte by byte", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    await using agent = await connect(server.url, key);
    expect(await agent.resources()).toEqual(["vitrine://user/full", "vitrine://user/resume"]);
    for (const path of ["/user/full", "/user/resume"]) {
      const answer = await (await server.get(path, bearer(key))).text();
      expect(await agent.resource(`vitrine:/${path}`)).toBe(answer);
    }
  });

  test("gets the résumé of an owner with an address that browsers take, and no standard allows", async () => {
    const record = withValue(writtenRecord(1), "profile.url.value", "https://{name}.example/");
    await using server = await startTestServer({ records: [record] });
    await using agent = await connect(server.url, (await server.key()).key);
    // The client would have none of it, had the tool promised more of its answer.
    await agent.tools();
    expect((await agent.call("get_resume", {})).structuredContent).toMatchObject({
      basics: { url: "https://{name}.example/" },
    });
  });

  test("is told of a slug that is nobody's or somebody else's, in the same words", async () => {
    await using server = await startTestServer();
    await using agent = await connect(server.url, (await server.key()).key);
    for (const slug of ["nowhere", "everything-2", ""])
      expect(await agent.call("get_link_tree", { slug })).toMatchObject({
        isError: true,
        text: "Link tree not found",
      });
  });
});

describe("an agent with a key of its own kind", () => {
  test("sees the public view alone where the key does, in the same shapes", async () => {
    const shy = withValue(writtenRecord(1), "jobs[0].isPublic", false);
    await using server = await startTestServer({ records: [shy] });
    const { key } = await server.key({ view: "public" });
    await using agent = await Agent.today(server.url, key);
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    for (const { name, outputSchema } of await agent.tools()) {
      const args = name === "get_link_tree" ? { slug: "everything-1" } : {};
      const { structuredContent, text } = await agent.call(name, args);
      expect(structuredContent).toEqual(await answeredByApi(server, key, name));
      expect({ name, fits: ajv.validate(outputSchema ?? {}, structuredContent) }).toEqual({
        name,
        fits: true,
      });
      // The link of the tree is as public as the tree.
      if (!/tree/.test(name)) expect(text).not.toMatch(/\+1 555 0100|person1@example\.com|Past Ltd/);
    }
    expect(await agent.resource("vitrine://user/full")).not.toContain("+1 555 0100");
  });

  test("is turned away at /mcp, without being counted, where the key is confined to other paths", async () => {
    await using server = await startTestServer();
    const response = await post(server, bearer((await server.key({ paths: ["full"] })).key));
    expect(response.headers.get("WWW-Authenticate")).toContain('error="insufficient_scope"');
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("60");
    expect(await response.json()).toEqual({
      statusCode: 403,
      message: "Key not allowed here",
      error: "Forbidden",
    });
  });

  test("reads what the key may read elsewhere, and is told of the rest", async () => {
    await using server = await startTestServer();
    await using agent = await Agent.today(server.url, (await server.key({ paths: ["mcp", "links"] })).key);
    expect((await agent.call("get_links")).structuredContent).toMatchObject({
      url: "https://person1.example/",
    });
    expect(await agent.call("get_profile")).toMatchObject({ isError: true, text: "Key not allowed here" });
    expect(agent.resource("vitrine://user/full")).rejects.toThrow("Key not allowed here");
  });

  test("is told when the key expires", async () => {
    await using server = await startTestServer();
    const expiresAt = Date.parse("2030-01-31T00:00:00.000Z");
    const response = await post(server, bearer((await server.key({ expiresAt })).key));
    expect(response.headers.get("Vitrine-Key-Expires")).toBe("2030-01-31T00:00:00.000Z");
  });
});

describe("POST /mcp", () => {
  test.each([
    ["no key", {}, "Unauthorized"],
    ["a key of another scheme", { Authorization: "Basic abc" }, "Unauthorized"],
    ["a key that was never made", bearer(mintKey()), "Invalid API Key"],
  ])("refuses %s as every path does", async (_, headers, message) => {
    await using server = await startTestServer();
    const response = await post(server, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toStartWith('Bearer realm="vitrine"');
    expect(await response.json()).toEqual({ statusCode: 401, message, error: "Unauthorized" });
  });

  test("ends with the key, in the middle of what an agent does", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    await using agent = await Agent.today(server.url, key);
    await agent.call("list_jobs");
    await server.store.keys.revoke(id);
    expect(agent.call("list_jobs")).rejects.toThrow();
    expect(await (await post(server, bearer(key))).json()).toMatchObject({ message: "API Key Expired" });
  });

  test("has a limit of its own, and says in every answer where the caller stands", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 2 } });
    const header = bearer((await server.key()).key);
    const first = await post(server, header);
    expect(first.headers.get("X-RateLimit-Remaining")).toBe("1");
    expect(first.headers.get("RateLimit-Policy")).toBe('"mcp";q=2;w=60');
    await post(server, header);
    const refused = await post(server, header);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await refused.json()).toEqual({
      statusCode: 429,
      message: "Rate limit exceeded",
      error: "Too Many Requests",
    });
    expect((await server.get("/user/jobs", header)).headers.get("X-RateLimit-Remaining")).toBe("1");
  });

  test("holds up nobody else, however much one agent asks for at once", async () => {
    const links = Array.from({ length: 30_000 }, (_, index) => ({
      label: "Link",
      url: `https://example.com/${index}`,
    }));
    const large = withValue(writtenRecord(1), "linkTrees[0].links", links);
    await using server = await startTestServer({ records: [large, writtenRecord(2)] });
    const [busy, other] = [await server.key(), await server.key({ email: writtenRecord(2).email })];
    const question = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_link_trees", arguments: {} },
    };
    const answered: string[] = [];
    const note = async (name: string, answer: Promise<Response>) => {
      await (await answer).bytes();
      answered.push(name);
    };
    // What speaks the protocol is loaded first.
    await post(server, bearer(busy.key));
    const asked = Array.from({ length: 12 }, () => note("busy", post(server, bearer(busy.key), question)));
    await Promise.race(asked);
    await note("other", server.get("/user/links", bearer(other.key)));
    await Promise.all(asked);
    expect(answered.indexOf("other")).toBeLessThan(7);
  });

  test("counts as a use of the key, and is logged with its user", async () => {
    const noted: string[] = [];
    await using server = await startTestServer({ keyUse: { note: (id) => noted.push(id) } });
    const { key, id } = await server.key();
    await post(server, bearer(key));
    expect(noted).toEqual([id]);
    expect(server.logged().at(-1)).toMatchObject({ method: "POST", route: "/mcp", status: 200, keyId: id });
  });

  test("is refused to pages of other origins, and open to listed ones and the server's own", async () => {
    await using server = await startTestServer({
      corsOrigins: ["https://ada.example"],
      publicUrl: "https://links.example",
    });
    const header = bearer((await server.key()).key);
    for (const origin of ["https://evil.example", "null", new URL(server.url).origin]) {
      const response = await post(server, { ...header, Origin: origin });
      expect(await response.json()).toEqual({
        statusCode: 403,
        message: "Origin not allowed",
        error: "Forbidden",
      });
    }
    for (const origin of ["https://ada.example", "https://links.example"])
      expect((await post(server, { ...header, Origin: origin })).status).toBe(200);
    const asked = {
      Origin: "https://ada.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version",
    };
    const preflight = await server.get("/mcp", asked, "OPTIONS");
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("POST");
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe(
      "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id",
    );
  });

  test.each(["GET", "HEAD", "PUT", "DELETE"])("is not %s", async (method) => {
    await using server = await startTestServer();
    const response = await server.get("/mcp", undefined, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST");
  });

  test("takes no body that is longer than a question can be", async () => {
    await using server = await startTestServer();
    const header = bearer((await server.key()).key);
    const padded = (bytes: number) => {
      const clientInfo = { name: "x".repeat(bytes), version: "1" };
      return { ...OPENING, params: { ...OPENING.params, clientInfo } };
    };
    expect((await post(server, header, padded(60_000))).status).toBe(200);
    expect((await post(server, header, padded(70_000))).status).toBe(413);
  });

  test.each(["", "{", "[]", "null", '{"jsonrpc":"1.0"}', JSON.stringify([OPENING, OPENING])])(
    "answers %p with a 400: it is no question, or more than one, of which the limit would count one",
    async (body) => {
      await using server = await startTestServer();
      const { key } = await server.key();
      const headers = {
        ...bearer(key),
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      };
      const response = await fetch(`${server.url}/mcp`, { method: "POST", headers, body });
      expect(response.status).toBe(400);
      expect(response.headers.get("X-RateLimit-Remaining")).toBe("59");
    },
  );

  test("takes no harm from an agent that is gone before its question has arrived", async () => {
    let isFound = false;
    await using server = await startTestServer({
      keyUse: {
        note() {
          isFound = true;
        },
      },
    });
    const { key } = await server.key();
    {
      using connection = await RawConnection.to(server.url);
      connection.send(
        `POST /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`,
      );
      await until("the key is found", () => isFound);
    }
    const line = await until("the request is over", () =>
      server.logged().find(({ route }) => route === "/mcp"),
    );
    expect(line).toMatchObject({ status: 400 });
    expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
  });

  test("lets nobody wait for changes, which would hold a connection", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const headers = {
      ...bearer(key),
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "subscriptions/listen",
    };
    const response = await post(server, headers, {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    });
    expect(await response.text()).toContain("Subscription limit reached");
  });

  test("tells an agent no more of a failure than the API tells", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    await using agent = await Agent.today(server.url, (await server.key()).key);
    const { reader } = watched;
    for (const [error, text] of [
      [new TypeError("no such table: /srv/vitrine.db"), "Internal Server Error"],
      [new StoreUnavailable("away: /srv/vitrine.db"), "Service Unavailable"],
    ] as const) {
      // The first read of a request finds its key.
      let reads = 0;
      reader.alter = (found) => {
        if (++reads > 1) throw error;
        return found;
      };
      expect(await agent.call("list_jobs")).toMatchObject({ isError: true, text });
    }
    expect(JSON.stringify(server.logged())).toContain("no such table");
  });
});

test.each([
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
])("%s is a 404 in JSON, so that clients keep to the header", async (path) => {
  await using server = await startTestServer();
  const response = await server.get(path, { Accept: "text/html" });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    statusCode: 404,
    message: `Cannot GET ${path}`,
    error: "Not Found",
  });
});
