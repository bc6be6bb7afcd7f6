import type { SQL } from "bun";
import { COMPILER_VERSION } from "../../src/documents/version.ts";
import { PostgresCluster } from "./postgres-cluster.ts";

/** The server of this test run, with an empty database for everybody who asks. */
export class PostgresServer {
  readonly #cluster: PostgresCluster;
  readonly #free = { empty: [] as FreeDatabase[], withSchema: [] as FreeDatabase[] };
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

  /**
   * An empty database. It takes long to make one, so one that is given back is used again; and its schema takes half of
   * a short test, so where that is left as it was it may be there already, and connections to it are kept.
   */
  takeDatabase({ endsConnections = true, mayHaveSchema = false } = {}): TakenDatabase {
    const free = mayHaveSchema ? this.#free.withSchema : this.#free.empty;
    const database = free.pop() ?? this.#makeDatabase();
    return {
      url: this.urlOf(database.name),
      release: async () => {
        const [end, empty] = mayHaveSchema ? [END_BUSY, DELETE_ROWS] : [END_OTHERS, DROP_SCHEMA];
        if (endsConnections) await database.admin.unsafe(end);
        await database.admin.unsafe(empty).simple();
        free.push(database);
      },
    };
  }

  #makeDatabase(): FreeDatabase {
    const name = `test_${++this.#made}`;
    this.#cluster.createDatabase(name);
    return { name, admin: this.#cluster.connect(name) };
  }
}

const DROP_SCHEMA = "SET client_min_messages = warning; DROP SCHEMA IF EXISTS vitrine CASCADE";

/** All rows but those about the schema itself, which is there unless the test failed early. */
const DELETE_ROWS = `
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'vitrine' AND tablename NOT IN ('schema_version', 'compilation')
    LOOP
      EXECUTE format('DELETE FROM vitrine.%I', name);
    END LOOP;
    IF name IS NOT NULL THEN
      ALTER TABLE vitrine.users ALTER number RESTART;
      UPDATE vitrine.compilation SET compiler = ${COMPILER_VERSION}, through = NULL;
    END IF;
  END $$`;

/** Ends all other connections to the same database. */
export const END_OTHERS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Those of them that a test which has ended left in the middle of something. */
const END_BUSY = `${END_OTHERS} AND state <> 'idle'`;

export interface TakenDatabase {
  readonly url: string;
  /** Empties it, whoever is still connected. */
  release(): Promise<void>;
}

interface FreeDatabase {
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
