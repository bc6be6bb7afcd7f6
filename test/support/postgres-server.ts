import type { SQL } from "bun";
import { PostgresCluster } from "./postgres-cluster.ts";

/** The server of this test run, with an empty database for everybody who asks. */
export class PostgresServer {
  readonly #cluster: PostgresCluster;
  readonly #free: EmptyDatabase[] = [];
  #made = 0;

  constructor(cluster: PostgresCluster) {
    this.#cluster = cluster;
  }

  get port(): number {
    return this.#cluster.port;
  }

  urlOf(database: string): string {
    return this.#cluster.urlOf(database);
  }

  connect(database: string): SQL {
    return this.#cluster.connect(database);
  }

  /** An empty database. It takes long to make one, so one that is given back is used again. */
  takeDatabase({ endsConnections = true } = {}): TakenDatabase {
    const database = this.#free.pop() ?? this.#makeDatabase();
    return {
      url: this.urlOf(database.name),
      release: async () => {
        if (endsConnections) await database.admin.unsafe(END_OTHERS);
        await database.admin
          .unsafe("SET client_min_messages = warning; DROP SCHEMA IF EXISTS vitrine CASCADE")
          .simple();
        this.#free.push(database);
      },
    };
  }

  #makeDatabase(): EmptyDatabase {
    const name = `test_${++this.#made}`;
    this.#cluster.createDatabase(name);
    return { name, admin: this.#cluster.connect(name) };
  }
}

/** Ends all other connections to the same database. */
export const END_OTHERS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

export interface TakenDatabase {
  readonly url: string;
  /** Empties it, whoever is still connected. */
  release(): Promise<void>;
}

interface EmptyDatabase {
  readonly name: string;
  readonly admin: SQL;
}

let starting: Promise<PostgresServer> | undefined;
let running: PostgresServer | undefined;

/** Starts with the first test that needs it. */
export async function postgresServer(): Promise<PostgresServer> {
  starting ??= PostgresCluster.start().then((cluster) => new PostgresServer(cluster));
  running = await starting;
  return running;
}

/** The same, for whom it has started already. */
export function runningPostgresServer(): PostgresServer {
  if (!running) throw new Error("PostgreSQL has not started yet");
  return running;
}
