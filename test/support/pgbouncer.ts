import { test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CreateOptions, databaseOf, ENGINES, type Engine, postgres } from "./engines.ts";
import { withoutTool } from "./missing-tool.ts";
import { asNobody, folderOfNobody, freePort } from "./postgres-cluster.ts";
import { postgresServer, runningPostgresServer, type TakenDatabase } from "./postgres-server.ts";
import { until } from "./until.ts";

/** Debian puts it where only root looks. */
const executable = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin` });

/** Ends with the test run, as PostgreSQL does. */
const UNTIL_INPUT_ENDS = `
  exec 3<&0
  { "$2" "$1/pgbouncer.ini" </dev/null 3<&- & cat <&3; kill $!; wait $!; rm -rf "$1"; } >/dev/null 2>&1 &
  wait $!`;

/** Fewer connections than the tests open, so that transactions of one client are on different ones. */
const POOL_SIZE = 2;

let starting: Promise<number> | undefined;
let port = 0;

/** A real PgBouncer in transaction mode before the server of this test run. */
async function start(): Promise<number> {
  const server = await postgresServer();
  const folder = folderOfNobody("vitrine-pgbouncer-");
  const free = await freePort();
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${server.port} user=vitrine
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${free}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
`,
  );
  const command = ["sh", "-c", UNTIL_INPUT_ENDS, "sh", folder, executable ?? "pgbouncer"];
  const bouncer = Bun.spawn(asNobody(...command), { stdin: "pipe", stdout: "ignore", stderr: "ignore" });
  bouncer.unref();
  await until("PgBouncer to listen", () =>
    Bun.connect({ hostname: "127.0.0.1", port: free, socket: { data: () => {} } }).then(
      (socket) => {
        socket.end();
        return true;
      },
      () => false,
    ),
  );
  return free;
}

export async function startPgBouncer(): Promise<void> {
  starting ??= start();
  port = await starting;
}

function take(options?: CreateOptions): TakenDatabase {
  // PgBouncer ends what its clients leave behind, and keeps its own connections for the next ones.
  const { url, ...rest } = runningPostgresServer().takeDatabase({ ...options, endsConnections: false });
  const through = Object.assign(new URL(url), { port: String(port), search: "?pgbouncer=true" });
  return { url: through.href, ...rest };
}

/** PostgreSQL as it is seen through PgBouncer. */
export const pgbouncer: Engine = {
  name: "postgres behind pgbouncer",
  async create(options) {
    await startPgBouncer();
    return databaseOf(take(options), options);
  },
  take: () => take(),
};

/** Where there is no PgBouncer, sentences are skipped by name or, with VITRINE_NO_SKIPS, fail. */
export function withPgBouncer(sentences: () => void): void {
  if (!ENGINES.includes(postgres)) return;
  if (executable !== null) {
    sentences();
    return;
  }
  withoutTool(pgbouncer.name, "no pgbouncer on the PATH or in /usr/sbin", (fail) =>
    test("every sentence", fail),
  );
}
