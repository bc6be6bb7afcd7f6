import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SETTINGS, type Settings } from "../../src/settings.ts";
import {
  done,
  emails,
  expectRefusal,
  hasDatabase,
  load,
  manyPeople,
  ndjson,
  newestKey,
  withKey,
} from "../support/command-line.ts";
import { metricsUrl } from "../support/metrics-page.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** Limits that no test reaches by asking often. */
const UNLIMITED = { LIMIT_FULL: "1000000", LIMIT_DEFAULT: "1000000" };

describe.concurrent("serve refuses to start with a wrong setting, and names it:", () => {
  const wrong: Record<keyof Settings, string> = {
    database: "mysql://localhost/vitrine",
    databaseRead: "sqlite:vitrine.db",
    databasePoolSize: "0",
    port: "70000",
    host: "not a host",
    logLevel: "loud",
    publicUrl: "links.example",
    siteName: " ",
    previews: "yes",
    securityContact: "nobody",
    corsOrigins: "https://ada.example/page",
    limitFull: "0",
    limitDefault: "1.5",
    limitFailed: "-1",
    trustedProxies: "10.0.0.0/33",
    redis: "127.0.0.1:6379",
    hookDelay: "-1",
    hookPrivate: "yes",
    workers: "0",
    shutdownDelay: "soon",
    metricsPort: "70000",
    metricsHost: "not a host",
  };
  const rows = (Object.keys(wrong) as (keyof Settings)[]).map((name) => ({
    ...SETTINGS[name],
    value: wrong[name],
  }));

  test.each(rows)("$variable", async ({ variable, value, expected }) => {
    using program = new Program();
    expectRefusal(await program.run(["serve"], undefined, { [variable]: value }), {
      error: `${variable} is ${JSON.stringify(value)}, but it must be ${expected}`,
      remedy: "vitrine serve --help",
      exitCode: 2,
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test.each(rows)("$flag", async ({ flag, value, expected }) => {
    using program = new Program();
    expectRefusal(await program.run(["serve", flag, value]), {
      error: `${flag} is ${JSON.stringify(value)}, but it must be ${expected}`,
      remedy: "vitrine serve --help",
      exitCode: 2,
    });
  });

  test("a flag wins over the variable of the same setting", async () => {
    using program = new Program({ PORT: "70000", DATABASE_URL: "sqlite:from-variable.db" });
    await using server = await program.serve(["serve", "--database", "sqlite:from-flag.db"]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await Bun.file(program.folder.file("from-flag.db")).exists()).toBe(true);
    expect(await Bun.file(program.folder.file("from-variable.db")).exists()).toBe(false);
  });

  test("an empty variable is as good as none", async () => {
    using program = new Program({ LOG_LEVEL: "", CORS_ORIGINS: "", LIMIT_FULL: "" });
    await using server = await program.serve();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("serve", () => {
  test("says that a port is in use, and which one to try", async () => {
    using program = new Program();
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    expectRefusal(await program.run(["serve", "--port", String(taken.port)]), {
      error: `port ${taken.port} of 127.0.0.1 is in use`,
      remedy: `vitrine serve --port ${taken.port + 1}`,
    });
  });

  test("shares the port of its metrics with no other server", async () => {
    using program = new Program();
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    const { port } = new URL(metricsUrl(server));
    expectRefusal(await program.run(["serve", "--port", "0", "--metrics-port", port]), {
      error: `port ${port} of 127.0.0.1 is in use`,
      remedy: `vitrine serve --metrics-port ${Number(port) + 1}`,
    });
  });

  test("says that an address is not one of this machine's", async () => {
    using program = new Program();
    const outcome = await program.run(["serve", "--port", "0", "--host", "192.0.2.1"]);
    expectRefusal(outcome, {
      error: "192.0.2.1 is not an address of this machine",
      remedy: /^vitrine serve /,
    });
  });

  test("names another host, and no port of the server, where metrics cannot be served", async () => {
    using program = new Program();
    const metrics = ["--metrics-host", "no.invalid", "--metrics-port", "9090"];
    const failed = await program.run(["serve", "--port", "0", ...metrics]);
    expect(failed.stderr).toStartWith("Error: cannot serve on no.invalid port 9090: ");
    expect(failed.stderr).toEndWith("Try: vitrine serve --metrics-host 127.0.0.1 --metrics-port 9090\n");
  });

  test("says that a database cannot be opened", async () => {
    using program = new Program();
    expectRefusal(await program.run(["serve", "--port", "0", "--database", "sqlite:/no/such/folder/x.db"]), {
      error: "there is no folder /no/such/folder",
      remedy: "mkdir -p /no/such/folder",
    });
  });

  test("answers as soon as it says that it listens", async () => {
    using program = new Program();
    await using server = await program.serve();
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toStartWith("application/json");
  });

  test("makes neither data nor keys", async () => {
    using program = new Program();
    await using server = await program.serve();
    await fetch(`${server.url}/user/full`);
    expect(await server.stop()).toBe(0);
    expect(await emails(program)).toEqual([]);
    expect(server.output()).not.toContain("vit_");
  });

  test("writes no key and no hash to its log, wherever a caller puts them", async () => {
    using program = new Program({ LOG_LEVEL: "debug" });
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    const unknownKey = `vit_${"a".repeat(49)}`;
    await using server = await program.serve();
    const ask = (path: string, headers: Record<string, string>) => fetch(server.url + path, { headers });
    expect((await ask("/user/full", { Authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await ask("/user/full", { Authorization: `Bearer ${unknownKey}` })).status).toBe(401);
    expect((await ask(`/user/full?key=${key}`, {})).status).toBe(401);
    expect((await ask(`/user/linktrees/${key}`, { Authorization: `Bearer ${key}` })).status).toBe(404);
    expect((await ask(`/${key}`, {})).status).toBe(404);
    expect((await ask("/healthz", { "X-Request-Id": key })).status).toBe(200);
    await server.stop();

    const logged = server.output();
    expect(logged.match(/"message":"request"/g)?.length).toBe(6);
    const digest = new Bun.CryptoHasher("sha256").update(key).digest();
    const secrets = [key, unknownKey, digest.toString("hex"), digest.toString("base64")];
    for (const secret of secrets) expect(logged).not.toContain(secret);
  });
});

describe.concurrent("told to stop", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("by %s, serve ends with 0", async (signal) => {
    using program = new Program();
    await using server = await program.serve();
    await fetch(`${server.url}/healthz`);
    expect(await server.stop(signal)).toBe(0);
    expect(server.output()).toContain(`"message":"stopping","signal":"${signal}"`);
    expect(server.output()).toContain('"message":"stopped"');
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "by %s, serve finishes what it is sending and takes nothing new",
    async (signal) => {
      using program = new Program();
      const record = writtenRecord(1);
      const links = Array.from({ length: 60_000 }, (_, index) => ({
        label: "A link with a label of some length, so that the answer fills every buffer on its way",
        url: `https://person1.example/${index}`,
      }));
      await load(program, { ...record, linkTrees: [{ title: "Long", slug: "long", links }] });
      const key = await done(program, ["key", "create", email]);
      await using server = await program.serve();

      const reader = await slowReader(server.url, "/user/full", key);
      server.child.kill(signal);
      await until("the server to say that it stops", () => server.output().includes('"stopping"'));
      let refused: string | undefined;
      // One that comes while the port is being closed is reset.
      await until("the port to be closed", async () => {
        refused = await fetch(`${server.url}/healthz`).then(
          (response) => String(response.status),
          (error: { code?: string }) => error.code,
        );
        return refused !== "ECONNRESET";
      });
      expect(refused).toBe("ECONNREFUSED");
      expect(server.child.exitCode).toBeNull();

      const full = JSON.parse(await reader.rest()) as { linkTrees: { links: unknown[] }[] };
      expect(full.linkTrees[0]?.links.length).toBe(60_000);
      expect(await server.child.exited).toBe(0);
    },
  );

  test("serve does not wait for a connection on which nothing is asked", async () => {
    using program = new Program();
    await using server = await program.serve();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    using socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(server.url).port),
      socket: { data: () => {}, close: () => resolve() },
    });
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await server.stop()).toBe(0);
    await closed;
  });
});

/** Asks for a document, takes the beginning of the answer, and reads on only when told to. */
async function slowReader(url: string, path: string, key: string) {
  const chunks: Buffer[] = [];
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    socket: {
      data(self, bytes) {
        chunks.push(Buffer.from(bytes));
        if (chunks.length > 1) return;
        self.pause();
        begun.resolve();
      },
      close: () => closed.resolve(),
    },
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await begun.promise;
  return {
    /** The body, once the server has closed the connection behind it. */
    async rest(): Promise<string> {
      socket.resume();
      await closed.promise;
      const answer = Buffer.concat(chunks).toString();
      return answer.slice(answer.indexOf("\r\n\r\n") + 4);
    },
  };
}

describe("while serve runs", () => {
  test("what a command writes is there with the next request", async () => {
    using program = new Program(UNLIMITED);
    await using server = await program.serve();
    const read = async (key: string, path: string) => (await fetch(server.url + path, withKey(key))).json();

    await done(program, ["import", "-"], ndjson([writtenRecord(1)]));
    const key = await done(program, ["key", "create", email]);
    expect(await read(key, "/user/full")).toMatchObject({ email, codehostId: 1001 });

    await done(program, ["import", "-"], ndjson([{ ...writtenRecord(1), codehostId: 7 }]));
    expect(await read(key, "/user/full")).toMatchObject({ email, codehostId: 7 });
  });

  test("a revoked key stops with the very next request", async () => {
    using program = new Program(UNLIMITED);
    await load(program, writtenRecord(1));
    const [revoked, kept] = [
      await done(program, ["key", "create", email]),
      await done(program, ["key", "create", email]),
    ];
    const [first] = JSON.parse(await done(program, ["key", "list", email, "--json"])) as { id: string }[];
    await using server = await program.serve();
    expect((await fetch(`${server.url}/user/links`, withKey(revoked))).status).toBe(200);

    await done(program, ["key", "revoke", first?.id ?? ""]);
    const response = await fetch(`${server.url}/user/links`, withKey(revoked));
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      statusCode: 401,
      message: "API Key Expired",
      error: "Unauthorized",
    });
    expect((await fetch(`${server.url}/user/links`, withKey(kept))).status).toBe(200);
  });

  test("the use of a key is noted, at the latest when the server stops", async () => {
    using program = new Program(UNLIMITED);
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve();
    expect((await newestKey(program)).lastUsedAt).toBeNull();
    await fetch(`${server.url}/user/links`, withKey(key));
    await server.stop();
    const { lastUsedAt } = await newestKey(program);
    expect(Math.abs(Date.parse(lastUsedAt ?? "") - Date.now())).toBeLessThan(60_000);
  });

  /** As many as keep two imports at work while the other commands come and go. */
  const MANY = 350;

  test("many commands at once are safe, and every request meanwhile is answered", async () => {
    using program = new Program(UNLIMITED);
    const people = Array.from({ length: 5 }, (_, index) => writtenRecord(1 + index));
    await load(program, ...people);
    const key = await done(program, ["key", "create", email]);
    const doomed = await done(program, ["key", "create", writtenRecord(2).email]);
    const { id: doomedId } = await newestKey(program, writtenRecord(2).email);
    await using server = await program.serve();

    let working = true;
    const answers = new Map<number, number>();
    const asking = (async () => {
      while (working) {
        const { status } = await fetch(`${server.url}/user/full`, withKey(key));
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    })();
    const [, , exported, , ...keys] = await Promise.all([
      done(program, ["import", "-"], manyPeople(MANY, 100)),
      done(program, ["import", "-"], manyPeople(MANY, 1000)),
      done(program, ["export", "--all"]),
      done(program, ["key", "revoke", doomedId]),
      ...people.map((person) => done(program, ["key", "create", person.email])),
    ]);
    working = false;
    await asking;

    expect([...answers.keys()]).toEqual([200]);
    expect(exported?.split("\n").length).toBeGreaterThanOrEqual(5);
    expect((await fetch(`${server.url}/user/full`, withKey(doomed))).status).toBe(401);
    for (const [index, made] of keys.entries()) {
      const response = await fetch(`${server.url}/user/full`, withKey(made));
      expect(await response.json()).toMatchObject({ email: people[index]?.email });
    }
    expect((await emails(program)).length).toBe(people.length + 2 * MANY);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});
