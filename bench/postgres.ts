import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { number, plural } from "../src/cli/output.ts";
import { postgresPrograms } from "../test/support/postgres-cluster.ts";
import { ask, RAISED_LIMITS, SAID_OF_RAISED_LIMITS } from "./contenders.ts";
import { bun, createKeys, Dataset, MAIN, say, writeRecords } from "./dataset.ts";
import type { GrowthPlan } from "./growth.ts";
import { measure } from "./load.ts";
import { barChart } from "./plot.ts";
import { endsWithUs, freePort, output, run, Server } from "./processes.ts";
import { circumstances, type Figures, median, rate, ratio, table } from "./report.ts";

/** PostgreSQL refuses to run as root; then it runs as a user who owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const PATH = "/user/full";

/**
 * Vitrine on PostgreSQL, beside what PostgreSQL's own load generator gets out of the statement that Vitrine sends:
 * no HTTP, no limits, no log, nothing but the database and a client in C.
 */
export async function besidePgbench(plan: GrowthPlan): Promise<Figures> {
  const { seconds, connections } = plan;
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-postgres-"));
  try {
    await using cluster = await startCluster(folder);
    const { programs, port, url } = cluster;
    const data = new Dataset(folder, plan.users, url);
    say(`loading ${number(plan.users)} users`);
    await writeRecords(data.file("users.ndjson"), plan.users);
    await run([bun, MAIN, "import", data.file("users.ndjson"), "--database", url]);
    await createKeys(data);

    await using vitrine = await Server.start({
      name: "Vitrine on PostgreSQL",
      command: [bun, MAIN, "serve", "--database", url],
      env: RAISED_LIMITS,
      log: join(folder, "vitrine.log"),
      port: await freePort(),
      pinned: false,
    });
    const response = await ask(vitrine.url, PATH, data.keys()[0]);
    if (response.status !== 200) throw new Error(`Vitrine on PostgreSQL answers with ${response.status}`);
    const script = join(folder, "select.sql");
    await using sql = new SQL({ url, database: "postgres", max: 1 });
    await Bun.write(script, await pgbenchScript(sql, plan.users));
    const pgbench = ["-n", "-M", "prepared", "-f", script, "-c", String(connections), "-j", "1"];
    const target = ["-h", "127.0.0.1", "-p", String(port), "-U", "vitrine", "postgres"];

    const own: Awaited<ReturnType<typeof measure>>[] = [];
    const others: number[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      const load = {
        url: vitrine.url,
        path: PATH,
        keys: data.keysFile,
        connections,
        seconds,
        pinned: false,
        encoding: "gzip",
      } as const;
      const measured = await measure(load);
      if (measured.failures > 0) throw new Error(`${vitrine.name}: ${measured.failures} requests failed`);
      await vitrine.emptyLog();
      const text = await output([join(programs, "pgbench"), ...pgbench, "-T", String(seconds), ...target]);
      const other = Number(/^tps = ([\d.]+)/m.exec(text)?.[1]);
      const name = round === 0 ? "warm-up" : `round ${round} of ${plan.rounds}`;
      say(`${name}  Vitrine: ${rate(measured.requestsPerSecond)} requests/s, pgbench: ${rate(other)}`);
      // The first round warms up and is not counted.
      if (round === 0) continue;
      own.push(measured);
      others.push(other);
    }

    const perSecond = median(own.map(({ requestsPerSecond }) => requestsPerSecond));
    const other = median(others);
    const version = (await output([join(programs, "postgres"), "--version"])).trim();
    const memory = vitrine.memory();
    const markdown = [
      await circumstances(plan.command, [
        `Versions: Bun ${Bun.version}, ${version}`,
        `\`${PATH}\`, ${number(plan.users)} users, a random key for every request, ${connections} connections, ${plural(plan.rounds, "round")} of ${seconds} s each after a warm-up, in turns; the medians are given`,
        `Nothing is pinned here: database, server and load share the cores. Default logging on, to a file; ${SAID_OF_RAISED_LIMITS}`,
        `pgbench runs the statement that Vitrine sends, prepared, over ${connections} connections`,
      ]),
      table(
        ["", "a second", "p50 ms", "p99 ms", "memory MB", "Vitrine is"],
        [
          [
            vitrine.name,
            rate(perSecond),
            median(own.map(({ p50 }) => p50)).toFixed(2),
            median(own.map(({ p99 }) => p99)).toFixed(2),
            memory?.own.toFixed(0) ?? "–",
            ratio(1),
          ],
          ["pgbench, the same SELECT", rate(other), "–", "–", "–", ratio(perSecond / other)],
        ],
      ),
    ].join("\n\n");
    const bars = [
      { name: vitrine.name, value: perSecond },
      { name: "pgbench, the same SELECT", value: other },
    ];
    return { markdown, plot: barChart({ title: "Beside pgbench", groups: [{ name: "a second", bars }] }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The statement as Vitrine sent it last, with the hash of a key made from a random number, since pgbench knows no
 * text. Rows with such hashes are added for it.
 */
async function pgbenchScript(sql: SQL, users: number): Promise<string> {
  const [sent] = await sql.unsafe(`
    SELECT query FROM pg_stat_activity
    WHERE query LIKE 'SELECT%vitrine.answers%' AND pid <> pg_backend_pid() LIMIT 1`);
  const hash = (user: string) => `sha256(convert_to(${user}::text, 'UTF8'))`;
  await sql.unsafe(`
    INSERT INTO vitrine.keys (hash, id, user_number, user_id, created_at)
    SELECT ${hash("row_number() OVER (ORDER BY number)")}, 'bench-' || number, number, id, 0 FROM vitrine.users`);
  await sql.unsafe("VACUUM ANALYZE");
  const statement = String(sent?.query).replaceAll(/\s+/g, " ");
  const rows = await sql.unsafe(statement.replace("$1", hash(String(users))));
  if (rows.length !== 1 || !rows[0].body) throw new Error(`this is not the statement: ${statement}`);
  return `\\set user random(1, ${users})\n${statement.replace("$1", hash(":user"))};\n`;
}

interface Cluster extends AsyncDisposable {
  readonly programs: string;
  readonly port: number;
  readonly url: string;
}

/** A server of its own, with room for the data in its memory. Only with `fsync` would it survive a power cut. */
export async function startCluster(folder: string, { fsync = false } = {}): Promise<Cluster> {
  const programs = postgresPrograms;
  if (!programs) throw new Error("PostgreSQL is not installed (Debian: apt-get install postgresql)");
  const files = join(folder, "cluster");
  mkdirSync(files);
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
    chownSync(files, NOBODY, NOBODY);
  }
  await run(asNobody([join(programs, "initdb"), "-D", files, "-U", "vitrine", "-A", "trust", "-N"]), {
    cwd: folder,
  });
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 1100,
    shared_buffers: "2GB",
    track_activity_query_size: 16_384,
    fsync: fsync ? "on" : "off",
  };
  const command = [
    ...[join(programs, "postgres"), "-D", files],
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const log = Bun.file(join(folder, "postgres.log"));
  const server = endsWithUs(
    Bun.spawn(asNobody(command), { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: log }),
  );
  const ready = [join(programs, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", String(port)];
  while (Bun.spawnSync(ready).exitCode !== 0) {
    if (server.exitCode !== null) throw new Error(await log.text());
    await Bun.sleep(50);
  }
  return {
    programs,
    port,
    url: `postgres://vitrine@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      // A fast shutdown: it ends what is open.
      server.kill("SIGINT");
      await server.exited;
    },
  };
}

function asNobody(command: string[]): string[] {
  return isRoot
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...command]
    : command;
}
