import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { LIMIT_WINDOW_SECONDS } from "../../src/contract/routes.ts";
import type { SlidingWindow } from "../../src/limits/limiter.ts";
import { MemoryWindow } from "../../src/limits/memory-window.ts";
import { SESSION_HEADER, STUDIO_ROUTES } from "../../src/studio/contract.ts";
import { STUDIO_ENDPOINTS } from "../../src/studio/steps/limit.ts";
import { type RawAnswer, RawConnection } from "../support/raw-connection.ts";
import { startTestStudio, type TestStudio } from "../support/studio.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** In place of the studio's own. Several are several lines. */
  readonly hosts?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request byte by byte: clients write `Host` by themselves. */
function bytesOf(studio: TestStudio, sent: Sent): string {
  const { method = "GET", path = "/", hosts = [new URL(studio.url).host], headers = {}, body = "" } = sent;
  const lines = [
    ...hosts.map((host) => `Host: ${host}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
  ];
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

async function sendBytes(studio: TestStudio, sent: Sent): Promise<RawAnswer> {
  using connection = await RawConnection.to(studio.socketUrl);
  return await connection.ask(bytesOf(studio, sent));
}

/** Begins a request, all but its last byte. */
async function begin(studio: TestStudio, sent: Sent): Promise<RawConnection> {
  const connection = await RawConnection.to(studio.socketUrl);
  connection.send(bytesOf(studio, sent).slice(0, -1));
  return connection;
}

/** Begins to send a picture. */
async function beginUpload(studio: TestStudio): Promise<RawConnection> {
  const headers = await studio.enterAsOwner();
  const path = `/api/users/${(await studio.record()).id}/pictures`;
  return begin(studio, { method: "POST", path, headers, body: "a text" });
}

const EVERY_KIND = ["/", "/chunk-1.js", "/api/session", "/oidc/start", "/nowhere"];

describe("the name of the studio", () => {
  test("is the only one that is answered, for pages, files and calls alike", async () => {
    await using studio = await startTestStudio();
    const { port } = new URL(studio.url);
    const others = [
      "evil.example",
      `evil.example:${port}`,
      "localhost",
      "localhost:1",
      `localhost.evil.example:${port}`,
      `localhost:${port}.evil.example`,
      `user@localhost:${port}`,
      "0.0.0.0",
      "",
    ];
    for (const path of EVERY_KIND) {
      for (const host of others) {
        const answer = await sendBytes(studio, { path, hosts: [host] });
        expect([path, host, answer.status]).toEqual([path, host, 421]);
        expect(answer.body).not.toContain("<title>");
      }
    }
    const own = `localhost:${port}`;
    expect((await sendBytes(studio, { hosts: [own, "evil.example"] })).status).toBe(421);
    expect((await sendBytes(studio, { hosts: [own] })).status).toBe(200);
    expect((await sendBytes(studio, { hosts: [own.toUpperCase()] })).status).toBe(200);
  });

  test("is where the address by number leads, for pages alone", async () => {
    await using studio = await startTestStudio();
    const { port } = new URL(studio.url);
    for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`]) {
      const page = await sendBytes(studio, { hosts: [host] });
      expect([page.status, page.headers.get("location")]).toEqual([302, `${studio.url}/`]);
      expect((await sendBytes(studio, { hosts: [host], path: "/api/session" })).status).toBe(421);
      expect((await sendBytes(studio, { hosts: [host], path: "/chunk-1.js" })).status).toBe(421);
    }
  });

  test("is the public one where there is one, and localhost is none then", async () => {
    await using studio = await startTestStudio({ studioUrl: "https://studio.example" });
    expect((await sendBytes(studio, { hosts: ["studio.example"] })).status).toBe(200);
    const { port } = new URL(studio.socketUrl);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "studio.example:443"])
      expect((await sendBytes(studio, { hosts: [host] })).status).toBe(421);
  });
});

describe("a request of another site's page", () => {
  const FOREIGN: readonly Readonly<Record<string, string>>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "http://localhost:1" },
    { Origin: "" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ];

  test.each(FOREIGN)("is refused with %j for everything but opening a page", async (headers) => {
    await using studio = await startTestStudio();
    const operator = await studio.enterAsOperator();
    for (const { method, path } of Object.values(STUDIO_ROUTES)) {
      const answer = await sendBytes(studio, { method, path, headers: { ...operator, ...headers } });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
    expect((await sendBytes(studio, { path: "/chunk-1.js", headers })).status).toBe(403);
    expect((await sendBytes(studio, { method: "POST", headers })).status).toBe(403);
    expect((await sendBytes(studio, { headers })).status).toBe(200);
  });

  test("gets no header of CORS, whatever it asks", async () => {
    await using studio = await startTestStudio();
    const preflight = {
      Origin: "https://evil.example",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": SESSION_HEADER,
    };
    for (const path of EVERY_KIND) {
      for (const method of ["OPTIONS", "GET"]) {
        const { headers, status } = await sendBytes(studio, { method, path, headers: preflight });
        expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
        if (method === "OPTIONS") expect(status).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

describe("what the studio sends", () => {
  test("is under a policy without inline scripts, inline styles, eval and frames", async () => {
    await using studio = await startTestStudio({ withPage: true });
    const page = await sendBytes(studio, {});
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(page.body).not.toMatch(/<style|<script(?![^>]*\bsrc=)| on\w+=| style=/);
    for (const path of ["/api/session", "/nowhere"]) {
      const { headers } = await sendBytes(studio, { path });
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  test("are files of the page whose names never change what they mean, compressed", async () => {
    await using studio = await startTestStudio({ withPage: true });
    const page = await sendBytes(studio, {});
    const [, script = ""] = /src="([^"]+\.js)"/.exec(page.body) ?? [];
    const answer = await fetch(studio.socketUrl + script, { headers: { Host: new URL(studio.url).host } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("Content-Type")).toStartWith("text/javascript");
    for (const path of ["/..%2fpackage.json", "/../../package.json", "/index.html", "/page/files.ts"])
      expect((await sendBytes(studio, { path })).status).toBe(404);
  });
});

test.each([
  ["PATCH", "/api/users/x/record", "GET, PUT"],
  ["GET", "/api/session/link", "POST"],
  ["PUT", "/api/sessions", "GET, DELETE"],
])("%s %s is refused with the methods that there are", async (method, path, allow) => {
  await using studio = await startTestStudio();
  const answer = await sendBytes(studio, { method, path });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

describe("a body", () => {
  test("that is too long is refused with a sentence, whether it says its length or not", async () => {
    await using studio = await startTestStudio();
    const as = await studio.enterAsOwner();
    const { id } = await studio.record();
    const record = { note: "x".repeat(5 * 1024 * 1024) };
    const refused = await studio.call("saveRecord", {
      as,
      params: { user: id },
      body: { record, revision: "" },
    });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toEqual({
      fault: "too-large",
      message: "The record has more than 4 MB, and that is too much.",
    });
    const chunked = await fetch(`${studio.socketUrl}/api/session/link`, {
      method: "POST",
      headers: { Host: new URL(studio.url).host, "Content-Type": "application/json" },
      body: new Blob(["x".repeat(100_000)]).stream(),
    });
    expect(chunked.status).toBe(413);
  });

  test("that comes in chunks ends its connection, so that no answer behind it goes to somebody else", async () => {
    await using studio = await startTestStudio();
    const headers = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
    const body = '{"secret":"x"}';
    for (const [path, status] of [
      ["/api/session/link", 410],
      ["/nowhere", 404],
    ] as const) {
      using connection = await RawConnection.to(studio.socketUrl);
      const start = bytesOf(studio, { method: "POST", path, headers });
      const answer = await connection.ask(`${start}e\r\n${body}\r\n0\r\n\r\n`);
      expect([answer.status, answer.headers.get("connection")]).toEqual([status, "close"]);
    }
    const plain = await sendBytes(studio, {
      method: "POST",
      path: "/api/session/link",
      headers: { "Content-Type": "application/json" },
      body,
    });
    expect(plain.headers.get("connection")).not.toBe("close");
  });

  test("may come slowly, which is no matter of the database", async () => {
    const counting = new MemoryWindow(STUDIO_ENDPOINTS, LIMIT_WINDOW_SECONDS);
    const take: SlidingWindow["take"] = (who, endpoint, limit) =>
      endpoint === "studio-reads" ? new Promise(() => {}) : counting.take(who, endpoint, limit);
    await using studio = await startTestStudio({ limiter: { take, look: take } });
    using connection = await beginUpload(studio);
    // This waits for as long as anything of the studio's own may take.
    expect((await studio.call("showSession")).status).toBe(503);
    connection.send("t");
    const answer = await until("an answer", () => connection.receivedBytes > 0 && connection.answers()[0]);
    expect([answer.status, JSON.parse(answer.body).fault]).toEqual([415, "not-a-picture"]);
  });

  test.each([
    ["an owner", "enterAsOwner", "keys", 401],
    ["an owner who is deleted", "enterAsOwner", "keys", 401],
    ["the operator", "enterAsOperator", "invitation", 401],
    ["the operator, for a user who is deleted,", "enterAsOperator", "keys", 404],
  ] as const)(
    "of %s does nothing where the session is over before all of it came",
    async (who, enter, what, status) => {
      const counting = new MemoryWindow(STUDIO_ENDPOINTS, LIMIT_WINDOW_SECONDS);
      let taken = 0;
      const take: SlidingWindow["take"] = (...call) => {
        if (call[1] === "studio-saves") taken++;
        return counting.take(...call);
      };
      await using studio = await startTestStudio({ limiter: { take, look: take } });
      const { id, email } = await studio.record();
      const headers = { ...(await studio[enter]()), "Content-Type": "application/json" };
      const path = `/api/users/${id}/${what}`;
      const body = JSON.stringify({ name: null, expires: null });
      using connection = await begin(studio, { method: "POST", path, headers, body });
      // Counted by the address, and then by the account.
      await until("it is let in", () => taken === 2);
      if (who.includes("deleted")) await studio.store.records.delete(email);
      else await studio.store.access.sessions.endAll(enter === "enterAsOwner" ? id : null);
      connection.send("}");
      const answer = await until("an answer", () => connection.receivedBytes > 0 && connection.answers()[0]);
      expect(answer.status).toBe(status);
      expect(await studio.store.keys.of(email)).toEqual([]);
      expect(studio.logged().filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  test("that breaks off is no failure of the studio", async () => {
    await using studio = await startTestStudio();
    const connection = await beginUpload(studio);
    await studio.call("showSession");
    connection[Symbol.dispose]();
    const line = await until("a line", () => studio.logged().find(({ route }) => route === "uploadPicture"));
    expect(line).toMatchObject({ level: "info", status: 400 });
    expect(studio.logged().filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each([
    ["no JSON", "{", "application/json"],
    ["no JSON by its type", '{"secret":"x"}', "text/plain"],
    ["a form", "secret=x", "application/x-www-form-urlencoded"],
    ["bytes that are no text", "\xff\xfe", "application/json"],
  ])("that is %s is refused", async (_, body, type) => {
    await using studio = await startTestStudio();
    const headers = { "Content-Type": type };
    const answer = await sendBytes(studio, { method: "POST", path: "/api/session/link", headers, body });
    expect([answer.status, JSON.parse(answer.body).fault]).toEqual([400, "malformed"]);
  });

  test.each([{}, { secret: 1 }, { secret: "x", more: 1 }, 1, null, "x"])(
    "of another shape, such as %j, is refused",
    async (body) => {
      await using studio = await startTestStudio();
      expect((await studio.call("enterByLink", { body })).status).toBe(422);
    },
  );
});
