import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal, withKey } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import type { PostgresCluster } from "../support/postgres-cluster.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(120_000);

const { email } = writtenRecord(1);

async function startWithReplica() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startPostgresService());
  const replica = stack.use(await service.cluster.startReplica());
  const readUrl = replica.urlOf("vitrine");
  const server = stack.use(
    await service.program.serve(["serve", "--no-migrate"], { DATABASE_READ_URL: readUrl }),
  );
  const opened = stack.move();
  return { ...service, replica, readUrl, server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Waits until the replica has all that the primary has committed by now. */
async function caughtUp(primary: PostgresCluster, replica: PostgresCluster): Promise<void> {
  const [one, other] = [primary.connect("vitrine"), replica.connect("vitrine")];
  const [{ lsn }] = await one.unsafe("SELECT pg_current_wal_lsn()::text AS lsn");
  await until("the replica to catch up", async () => {
    const [row] = await other.unsafe("SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn AS done", [lsn]);
    return row.done === true;
  });
  await Promise.all([one.close(), other.close()]);
}

const visitor = { headers: PERSON };

async function viewsOf(program: Program): Promise<number> {
  const { views } = JSON.parse(await done(program, ["stats", email, "--json"])) as { views: number };
  return views;
}

if (ENGINES.includes(postgres)) {
  describe("serve with DATABASE_READ_URL", () => {
    test("reads from the replica and counts at the primary", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program, key } = service;
      await caughtUp(cluster, replica);
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      expect((await fetch(`${server.url}/t/everything-1`, visitor)).status).toBe(200);
      expect(await viewsOf(program)).toBe(1);

      // A key that is revoked at the primary ends as soon as the replica knows.
      const [{ id }] = JSON.parse(await done(program, ["key", "list", email, "--json"]));
      await done(program, ["key", "revoke", id]);
      await caughtUp(cluster, replica);
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(401);
      expect(await server.stop()).toBe(0);
    });

    test("goes on reading while the primary is away, and counts what was seen when it is back", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program, key } = service;
      await caughtUp(cluster, replica);
      await cluster.stop();
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      expect((await fetch(`${server.url}/t/everything-1`, visitor)).status).toBe(200);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await cluster.start();
      await until("the view to be counted", async () => (await viewsOf(program)) === 1);
      expect(await server.stop()).toBe(0);
    });

    test("answers 503 while the replica is away", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, key } = service;
      await caughtUp(cluster, replica);
      await replica.stop();
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(503);
      await replica.start();
      await until(
        "service to return",
        async () => (await fetch(`${server.url}/user/links`, withKey(key))).status === 200,
      );
    });

    test("is what doctor looks at, too", async () => {
      await using service = await startWithReplica();
      await caughtUp(service.cluster, service.replica);
      const environment = { DATABASE_READ_URL: service.readUrl };
      const sound = await service.program.run(["doctor"], undefined, environment);
      expect(sound.stdout).toMatch(/^✓ Replica: answers, and has schema version \d+$/m);
      await service.replica.stop();
      const away = await service.program.run(["doctor"], undefined, environment);
      expect(away.stdout).toContain("✗ Replica: cannot open the database ");
      expect(away.exitCode).toBe(1);
    });

    test("is refused beside SQLite, which has no replicas", async () => {
      using program = new Program();
      const url = "postgres://replica.example/vitrine";
      expectRefusal(await program.run(["serve", "--database", "sqlite:vitrine.db", "--database-read", url]), {
        error: "DATABASE_READ_URL is set, but only a PostgreSQL database has replicas",
        remedy: /^vitrine serve --database postgres:/,
        exitCode: 2,
      });
    });
  });
}
