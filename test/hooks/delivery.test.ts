import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { messageFor } from "../../src/hooks/message.ts";
import { post } from "../../src/hooks/post.ts";
import { settlementOf } from "../../src/hooks/schedule.ts";
import { mintSecret } from "../../src/hooks/signature.ts";
import { RETRIES_MS } from "../../src/store/hook-queue.ts";
import { Receiver } from "../support/receiver.ts";

const NOW = Date.parse("2026-04-12T08:30:00.700Z");

const DELIVERY = {
  id: "delivery-1",
  url: "https://hook.example/deploy",
  headers: [["X-Token", "one"]] as const,
  body: null as string | null,
  secret: null as string | null,
  event: "record.changed",
  userId: "user-1",
  details: { changed: ["jobs"] } as Record<string, unknown>,
  createdAt: NOW,
};

describe("the message of a hook", () => {
  test("without a secret is a POST with the given body, or none", () => {
    const { body, headers } = messageFor(DELIVERY, NOW);
    expect(body).toBe("");
    expect(headers.map(([name]) => name)).toEqual(["User-Agent", "X-Token"]);
    expect(messageFor({ ...DELIVERY, body: "go" }, NOW).body).toBe("go");
  });

  test("with a secret is one that Standard Webhooks verifies, and thin", () => {
    const secret = mintSecret();
    const { body, headers } = messageFor({ ...DELIVERY, secret, createdAt: Date.now() }, Date.now());
    const verified = new Webhook(secret).verify(body, Object.fromEntries(headers));
    expect(verified).toEqual({
      type: "record.changed",
      timestamp: expect.stringMatching(/^2\d{3}-.*Z$/),
      data: { userId: "user-1", changed: ["jobs"] },
    });
    expect(() => new Webhook(mintSecret()).verify(body, Object.fromEntries(headers))).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, Object.fromEntries(headers))).toThrow();
  });

  test("keeps its id and body when it is tried again, and is signed anew", () => {
    const signed = { ...DELIVERY, secret: mintSecret() };
    const [first, second] = [messageFor(signed, NOW), messageFor(signed, NOW + 5000)];
    expect(second.body).toBe(first.body);
    const header = (message: typeof first, name: string) => new Map(message.headers).get(name);
    expect(header(second, "webhook-id")).toBe("delivery-1");
    expect(header(first, "webhook-timestamp")).toBe("1775982600");
    expect(header(second, "webhook-signature")).not.toBe(header(first, "webhook-signature"));
  });

  test("says of a key when it expires", () => {
    const details = { keyId: "key-1", expiresAt: NOW };
    const { body } = messageFor({ ...DELIVERY, secret: mintSecret(), event: "key.expiring", details }, NOW);
    expect(JSON.parse(body).data).toEqual({
      userId: "user-1",
      keyId: "key-1",
      expiresAt: "2026-04-12T08:30:00.700Z",
    });
  });
});

describe("a try", () => {
  const message = (url: string) => ({ url, headers: [["X-Token", "one"]] as const, body: "héllo" });

  test("sends a POST with its headers and body, and reads the status", async () => {
    await using receiver = new Receiver(() => new Response("x".repeat(1e6), { status: 201 }));
    const answer = await post(message(receiver.url("/a?b=c")), { allowPrivate: true });
    expect(answer).toEqual({ status: 201, fault: null });
    const [received] = receiver.received;
    expect([received?.path, received?.body, received?.headers.get("x-token")]).toEqual([
      "/a?b=c",
      "héllo",
      "one",
    ]);
  });

  test("follows no redirect", async () => {
    await using receiver = new Receiver(() => Response.redirect("/elsewhere", 307));
    expect(await post(message(receiver.url()), { allowPrivate: true })).toEqual({ status: 307, fault: null });
    expect(receiver.received).toHaveLength(1);
  });

  test("takes the offer of another protocol for an answer like any other", async () => {
    const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n";
    using receiver = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.write(SWITCHING) },
    });
    const answer = await post(message(`http://127.0.0.1:${receiver.port}/`), { allowPrivate: true });
    expect(answer).toEqual({ status: 101, fault: null });
  });

  test.each([
    [20, { status: 204, fault: null }],
    [21, { status: null, fault: "failed" }],
  ])("takes %d hints before an answer for %j", async (hints, answer) => {
    const answers = `${"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".repeat(hints)}HTTP/1.1 204 No Content\r\n\r\n`;
    using receiver = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.write(answers) },
    });
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await post(message(url), { allowPrivate: true })).toEqual(answer);
  });

  test("asks no address that is not of the public Internet, unless that is allowed", async () => {
    await using receiver = new Receiver();
    const named = receiver.url().replace("127.0.0.1", "localhost");
    for (const url of [receiver.url(), named]) {
      const answer = await post(message(url), { allowPrivate: false });
      expect(answer).toEqual({ status: null, fault: "private-address" });
    }
    expect(receiver.received).toEqual([]);
  });

  test("that finds nobody, or no answer in time, tells so by a code", async () => {
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const options = { allowPrivate: true, tryMs: 50 };
    expect(await post(message(`http://127.0.0.1:${silent.port}/`), options)).toEqual({
      status: null,
      fault: "timeout",
    });
    const { port } = silent;
    silent.stop(true);
    expect(await post(message(`http://127.0.0.1:${port}/`), { allowPrivate: true })).toEqual({
      status: null,
      fault: "ECONNREFUSED",
    });
  });

  test("that is stopped throws, and is no failure of the receiver", async () => {
    const stop = new AbortController();
    await using receiver = new Receiver(() => {
      stop.abort();
      return new Promise<Response>(() => {});
    });
    const trying = post(message(receiver.url()), { allowPrivate: true, signal: stop.signal });
    await expect(trying).rejects.toThrow();
  });

  test("over TLS wants the certificate of the name, though it connects to an address", async () => {
    const { certificate, key } = await certificateFor("localhost");
    await using server = {
      server: Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        tls: { cert: certificate, key },
        fetch: () => new Response(null, { status: 204 }),
      }),
      async [Symbol.asyncDispose]() {
        await this.server.stop(true);
      },
    };
    const to = (host: string, ca?: string) =>
      post(message(`https://${host}:${server.server.port}/`), { allowPrivate: true, ...(ca && { ca }) });
    expect(await to("localhost", certificate)).toEqual({ status: 204, fault: null });
    expect((await to("localhost")).fault).toMatch(/CERT/);
    expect((await to("127.0.0.1", certificate)).fault).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  });
});

describe("after a try a delivery", () => {
  const taken = (attempt: number) => ({ id: "delivery-1", attempt });

  test.each([200, 204, 299])("is done with %d", (status) => {
    expect(settlementOf(taken(1), { status, fault: null })).toMatchObject({
      state: "delivered",
      disables: false,
    });
  });

  test("whose receiver is gone disables the hook", () => {
    expect(settlementOf(taken(1), { status: 410, fault: null })).toMatchObject({
      state: "failed",
      disables: true,
    });
  });

  test.each([
    { what: "an error", answer: { status: 500, fault: null } },
    { what: "a redirect", answer: { status: 302, fault: null } },
    { what: "no answer", answer: { status: null, fault: "timeout" } },
  ] as const)("that got $what is tried again after 5 s, 5 min, 30 min, 2, 5 and 10 h", ({ answer }) => {
    const minute = 60_000;
    const pauses = [5000, 5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute];
    expect([...RETRIES_MS]).toEqual(pauses);
    const settled = [1, 2, 3, 4, 5, 6].map((attempt) => settlementOf(taken(attempt), answer));
    expect(settled.map(({ state, retryMs }) => [state, retryMs])).toEqual(
      pauses.map((it) => ["waiting", it]),
    );
    expect(settlementOf(taken(7), answer)).toMatchObject({ state: "failed", disables: false });
  });
});

/** A certificate that nobody has signed but itself. */
async function certificateFor(name: string): Promise<{ certificate: string; key: string }> {
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
    ...["-addext", `subjectAltName=DNS:${name}`, "-keyout", "-", "-out", "-"],
  ]);
  const text = made.stdout.toString();
  const part = (label: string) =>
    new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----\n`).exec(text)?.[0] ?? "";
  return { certificate: part("CERTIFICATE"), key: part("PRIVATE KEY") };
}
