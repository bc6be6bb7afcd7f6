import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { done, expectRefusal, withKey } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { freePort, type PostgresCluster } from "../support/postgres-cluster.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

const SERVE = ["serve", "--no-migrate", "--metrics-port", "0"];
const AWAY = "the replica is away; reads go to the primary";
const BACK = "the replica answers again; reads go to it";

async function replicaUp(server: ServingProgram): Promise<number | undefined> {
  return (await readMetrics(metricsUrl(server))).value("vitrine_replica_up");
}

async function startWithReplica() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startPostgresService());
  const replica = stack.use(await service.cluster.startReplica());
  const readUrl = replica.urlOf("vitrine");
  const server = stack.use(await service.program.serve(SERVE, { DATABASE_READ_URL: readUrl }));
  await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
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
  describe("serve on a standby as DATABASE_URL", () => {
    const STANDBY = "the database is read-only: views and clicks cannot be counted";

    async function startOnStandby() {
      await using stack = new AsyncDisposableStack();
      const service = stack.use(await startPostgresService());
      const standby = stack.use(await service.cluster.startReplica());
      const url = standby.urlOf("vitrine");
      const server = stack.use(await service.program.serve(["serve"], { DATABASE_URL: url }));
      await until("the log to say that it cannot count", () => server.output().includes(STANDBY));
      const opened = stack.move();
      return { ...service, standby, url, server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    }

    test("says at the start that it cannot count, serves, and counts once the standby is promoted", async () => {
      await using service = await startOnStandby();
      const { standby, url, server, program } = service;
      const readiness = async () => (await fetch(`${server.url}/readyz`)).json();
      expect(await readiness()).toEqual({ status: "ready", counting: false });
      expect((await fetch(`${server.url}/t/everything-1`, visitor)).status).toBe(200);

      const admin = standby.connect("vitrine");
      await admin.unsafe("SELECT pg_promote()");
      await admin.close();
      await until("it to count", async () => Bun.deepEquals(await readiness(), { status: "ready" }));
      const stats = await program.run(["stats", email, "--json"], undefined, { DATABASE_URL: url });
      expect(JSON.parse(stats.stdout)).toMatchObject({ views: 1 });
      expect(await server.stop()).toBe(0);
    });

    test("ends with 1 where views were lost by that, and with 0 where there were none", async () => {
      await using service = await startOnStandby();
      expect(await service.server.stop()).toBe(0);
      await using server = await service.program.serve(["serve"], { DATABASE_URL: service.url });
      expect((await fetch(`${server.url}/t/everything-1`, visitor)).status).toBe(200);
      expect(await server.stop()).toBe(1);
      expect(server.output()).toContain('"message":"views and clicks were lost","events":1');
    });

    test("is what a command that writes is told", async () => {
      await using service = await startOnStandby();
      const [{ id }] = JSON.parse(await done(service.program, ["key", "list", email, "--json"]));
      const outcome = await service.program.run(["key", "revoke", id], undefined, {
        DATABASE_URL: service.url,
      });
      expectRefusal(outcome, { error: /read-only transaction/, remedy: /^name the primary with --database/ });
    });
  });

  test("doctor finds that DATABASE_URL names a standby, and goes on to look at all of it", async () => {
    await using service = await startPostgresService();
    await using standby = await service.cluster.startReplica();
    await caughtUp(service.cluster, standby);
    const environment = { DATABASE_URL: standby.urlOf("vitrine") };
    const { stdout, exitCode } = await service.program.run(["doctor", "--json"], undefined, environment);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.filter(({ ok }) => !ok)).toEqual([
      {
        check: "Database",
        ok: false,
        detail: "the database is a standby: it can be read, but not written",
        remedy: expect.stringMatching(/^name the primary with --database/) as string,
      },
    ]);
    expect(findings.map(({ check }) => check)).toContainValues(["Schema", "Storage", "Documents"]);
    expect(exitCode).toBe(1);
  });

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

    test("reads from the primary while the replica is away, and from the replica when it is back", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, key } = service;
      await caughtUp(cluster, replica);
      expect(await replicaUp(server)).toBe(1);

      await replica.stop();
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      expect((await fetch(`${server.url}/t/everything-1`, visitor)).status).toBe(200);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(server.output()).toContain(AWAY);
      expect(await replicaUp(server)).toBe(0);

      await replica.start();
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
      await until("the log to say so", () => server.output().includes(BACK));
      await cluster.stop();
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      await cluster.start();
      expect(await server.stop()).toBe(0);
    });

    test("reads from the primary while the replica is frozen", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, key } = service;
      await caughtUp(cluster, replica);
      replica.freeze();
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      await until("the replica to count as away", async () => (await replicaUp(server)) === 0);
      replica.thaw();
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
    });

    test("starts though the replica is away, and reads from it as soon as it is there", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, program, readUrl, key } = service;
      await caughtUp(cluster, replica);
      await replica.stop();
      await using server = await program.serve(SERVE, { DATABASE_READ_URL: readUrl });
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      expect(await replicaUp(server)).toBe(0);
      await replica.start();
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
    });

    test("reads from a replica that comes back only when it has caught up", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program, key } = service;
      await caughtUp(cluster, replica);
      const configure = async (...statements: string[]) => {
        const admin = replica.connect("vitrine");
        for (const statement of statements) await admin.unsafe(statement);
        await admin.close();
      };
      await configure("ALTER SYSTEM SET recovery_min_apply_delay = '1h'");
      await replica.stop();
      const status = async () => (await fetch(`${server.url}/user/links`, withKey(key))).status;
      expect(await status()).toBe(200);
      await until("the replica to count as away", async () => (await replicaUp(server)) === 0);
      const [{ id }] = JSON.parse(await done(program, ["key", "list", email, "--json"]));
      await done(program, ["key", "revoke", id]);

      await replica.start();
      const behind = replica.connect("vitrine");
      await until("the server to ask the replica how far it has come", async () => {
        const asked = await behind.unsafe(`
          SELECT FROM pg_stat_activity WHERE query LIKE '%pg_last_wal_replay_lsn%' AND pid <> pg_backend_pid()`);
        return asked.length > 0;
      });
      const kept = await behind.unsafe("SELECT FROM vitrine.keys WHERE revoked_at IS NULL");
      expect(kept.length).toBe(1);
      expect(await status()).toBe(401);
      expect(await replicaUp(server)).toBe(0);
      await behind.close();

      await configure("ALTER SYSTEM RESET recovery_min_apply_delay", "SELECT pg_reload_conf()");
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
      expect(await status()).toBe(401);
    });

    test("waits for more of a replica that was away a second time, before it had caught up", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program, key } = service;
      const tell = async (...statements: string[]) => {
        const admin = replica.connect("vitrine");
        for (const statement of statements) await admin.unsafe(statement);
        await admin.close();
      };
      const asked = async () => {
        const admin = replica.connect("vitrine");
        await until("the server to ask the replica how far it has come", async () => {
          const rows = await admin.unsafe(`
            SELECT FROM pg_stat_activity
            WHERE query LIKE '%pg_last_wal_replay_lsn%' AND pid <> pg_backend_pid()`);
          return rows.length > 0;
        });
        await admin.close();
      };
      const status = async () => (await fetch(`${server.url}/user/links`, withKey(key))).status;
      const received = async () => {
        const [one, other] = [cluster.connect("vitrine"), replica.connect("vitrine")];
        const [{ lsn }] = await one.unsafe("SELECT pg_current_wal_lsn()::text AS lsn");
        await until("the replica to have all that is to be replayed", async () => {
          const [row] = await other.unsafe("SELECT pg_last_wal_receive_lsn() >= $1::text::pg_lsn AS done", [
            lsn,
          ]);
          return row.done === true;
        });
        await Promise.all([one.close(), other.close()]);
      };
      await caughtUp(cluster, replica);
      await tell("ALTER SYSTEM SET recovery_min_apply_delay = '1h'");
      await replica.stop();
      expect(await status()).toBe(200);
      await until("the replica to count as away", async () => (await replicaUp(server)) === 0);
      await done(program, ["key", "create", email]);
      await replica.start();
      await asked();
      await received();

      // It will replay what it has by now, and get no more.
      await tell(
        "ALTER SYSTEM RESET recovery_min_apply_delay",
        `ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=${await freePort()} user=vitrine'`,
      );
      await replica.stop();
      // The server looks for it every second, and waits for as much as 750 ms each time.
      await Bun.sleep(3000);
      const keys = JSON.parse(await done(program, ["key", "list", email, "--json"])) as { id: string }[];
      for (const { id } of keys) await done(program, ["key", "revoke", id]);

      await replica.start();
      await asked();
      expect([await status(), await replicaUp(server)]).toEqual([401, 0]);
    });

    test("starts on the primary while the replica is behind, so that no revoked key works again", async () => {
      await using service = await startPostgresService();
      const { cluster, program, key } = service;
      await using replica = await cluster.startReplica();
      await caughtUp(cluster, replica);
      const standby = replica.connect("vitrine");
      await standby.unsafe("SELECT pg_wal_replay_pause()");
      const [{ id }] = JSON.parse(await done(program, ["key", "list", email, "--json"]));
      await done(program, ["key", "revoke", id]);

      await using server = await program.serve(SERVE, { DATABASE_READ_URL: replica.urlOf("vitrine") });
      const status = async () => (await fetch(`${server.url}/user/links`, withKey(key))).status;
      expect(await status()).toBe(401);
      expect(await replicaUp(server)).toBe(0);
      expect(server.output()).toContain(AWAY);

      await standby.unsafe("SELECT pg_wal_replay_resume()");
      await standby.close();
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
      expect(await status()).toBe(401);
    });

    test("reads from the primary while the replica stands still, so that no revoked key goes on working", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program, key } = service;
      await caughtUp(cluster, replica);
      const standby = replica.connect("vitrine");
      await standby.unsafe("SELECT pg_wal_replay_pause()");
      const [{ id }] = JSON.parse(await done(program, ["key", "list", email, "--json"]));
      await done(program, ["key", "revoke", id]);
      const status = async () => (await fetch(`${server.url}/user/links`, withKey(key))).status;
      await until("the revoked key to end", async () => (await status()) === 401);
      expect(await replicaUp(server)).toBe(0);
      expect(server.output()).toContain("it is behind: ");

      await standby.unsafe("SELECT pg_wal_replay_resume()");
      await standby.close();
      await until("reads to go to the replica", async () => (await replicaUp(server)) === 1);
      expect(await status()).toBe(401);
    });

    test("reads from the primary once the replica was promoted, and follows it no more", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, program } = service;
      await caughtUp(cluster, replica);
      const admin = replica.connect("vitrine");
      await admin.unsafe("SELECT pg_promote()");
      await admin.close();
      await until("the replica to count as away", async () => (await replicaUp(server)) === 0);
      expect(server.output()).toContain("it no longer follows the database: it was promoted");
      const key = (await done(program, ["key", "create", email])).match(/vit_\w+/)?.[0] ?? "";
      expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
      expect(server.output()).not.toContain(BACK);
    });

    test("answers 503 while both are away", async () => {
      await using service = await startWithReplica();
      const { cluster, replica, server, key } = service;
      await caughtUp(cluster, replica);
      await Promise.all([replica.stop(), cluster.stop()]);
      for (const path of ["/user/links", "/readyz"])
        await until(
          `${path} says 503`,
          async () => (await fetch(server.url + path, withKey(key))).status === 503,
        );
      await Promise.all([replica.start(), cluster.start()]);
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

    test("is not well for doctor where it is another database, is held back, or was promoted", async () => {
      await using service = await startPostgresService();
      const { cluster, program } = service;
      await using replica = await cluster.startReplica();
      const replicaIn = async (url: string) => {
        const environment = { DATABASE_READ_URL: url };
        const { stdout } = await program.run(["doctor", "--json"], undefined, environment);
        const { findings } = JSON.parse(stdout) as { findings: Finding[] };
        return findings.find(({ check }) => check === "Replica")?.detail;
      };
      const tell = async (statement: string) => {
        const admin = replica.connect("vitrine");
        await admin.unsafe(statement);
        await admin.close();
      };
      const other = cluster.urlOf("other");
      const admin = cluster.connect("vitrine");
      await admin.unsafe("CREATE DATABASE other");
      await admin.close();
      await done(program, ["migrate", "--database", other]);
      expect(await replicaIn(other)).toBe("is no copy of the database, but another one");
      expect(await replicaIn(cluster.urlOf("vitrine"))).toStartWith("answers, ");

      await caughtUp(cluster, replica);
      await tell("SELECT pg_wal_replay_pause()");
      await done(program, ["key", "create", email]);
      const url = replica.urlOf("vitrine");
      expect(await replicaIn(url)).toStartWith("is behind: ");
      await tell("SELECT pg_wal_replay_resume()");
      expect(await replicaIn(url)).toStartWith("answers, ");
      await tell("SELECT pg_promote()");
      expect(await replicaIn(url)).toBe("no longer follows the database: it was promoted");
    });

    test("is refused beside SQLite, which has no replicas", async () => {
      using program = new Program();
      const error = "DATABASE_READ_URL is set, but only a PostgreSQL database has replicas";
      const url = `postgres://127.0.0.1:${await freePort()}/vitrine`;
      expectRefusal(await program.run(["serve", "--database", "sqlite:vitrine.db", "--database-read", url]), {
        error,
        remedy: /^vitrine serve --database postgres:/,
        exitCode: 2,
      });
      const { stdout, exitCode } = await program.run(["doctor", "--database-read", url]);
      expect(stdout).toContain(`✗ Settings: ${error}`);
      expect(exitCode).toBe(1);
    });
  });
}
