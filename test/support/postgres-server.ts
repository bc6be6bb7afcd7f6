import type { SQL } from "bun";
import { COMPILER_VERSION } from "../../src/documents/version.ts";
import { engineAt } from "../../src/store/engines.ts";
import { parseDatabaseUrl } from "../../src/store/location.ts";
import { PostgresCluster } from "./postgres-cluster.ts";

/** The server of this test run, with an empty database for everybody who asks. */
class PostgresServer {
  readonly #cluster: PostgresCluster;
  readonly #free = { empty: [] as FreeDatabase[], withSchema: [] as FreeDatabase[] };
  /** Of a schema that was just made. */
  #shape: string | undefined;
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
   * a short test, so where that is left as it was it may be there already, and connections to it are kept. For others it
   * is put aside under another name, until one takes it for granted.
   */
  takeDatabase({ endsConnections = true, mayHaveSchema = false } = {}): TakenDatabase {
    const free = mayHaveSchema ? this.#free.withSchema : this.#free.empty;
    const database = free.pop() ?? this.#makeDatabase();
    return {
      url: this.urlOf(database.name),
      release: async () => {
        const [end, empty] = mayHaveSchema
          ? [END_BUSY, `DO $$ ${DELETE_ROWS} $$`]
          : [END_OTHERS, this.#putAside()];
        if (endsConnections) await database.admin.unsafe(end);
        await database.admin.unsafe(empty).simple();
        free.push(database);
      },
      makeSchema: () => this.#makeSchema(database),
    };
  }

  async #makeSchema({ name, admin }: FreeDatabase): Promise<void> {
    const [schemas] = await admin.unsafe(
      `SELECT to_regnamespace('vitrine') AS "own", to_regnamespace('${SPARE}') AS "spare"`,
    );
    if (schemas.own !== null) return;
    if (schemas.spare !== null) {
      await admin.unsafe(`ALTER SCHEMA ${SPARE} RENAME TO vitrine`);
      return;
    }
    const location = parseDatabaseUrl(this.urlOf(name));
    if (location) await (await engineAt(location)).upgrade();
    if (this.#shape === undefined) [{ shape: this.#shape }] = await admin.unsafe(`SELECT ${SHAPE} AS shape`);
  }

  /** Empties the schema and puts it aside if it is as it was made, and there is none yet. Else it goes. */
  #putAside(): string {
    return `
      SET client_min_messages = warning;
      DO $$
      BEGIN
        IF to_regnamespace('vitrine') IS NULL THEN RETURN; END IF;
        IF to_regnamespace('${SPARE}') IS NULL AND ${SHAPE} = '${this.#shape ?? ""}' THEN
          IF (SELECT count(*) FROM (SELECT FROM vitrine.users LIMIT ${MANY_USERS}) AS found) < ${MANY_USERS} THEN
            ${DELETE_ROWS};
            ALTER SCHEMA vitrine RENAME TO ${SPARE};
            RETURN;
          END IF;
        END IF;
        DROP SCHEMA vitrine CASCADE;
      END $$`;
  }

  #makeDatabase(): FreeDatabase {
    const name = `test_${++this.#made}`;
    this.#cluster.createDatabase(name);
    return { name, admin: this.#cluster.connect(name) };
  }
}

const SPARE = "spare";

/** So many take longer to delete than a schema takes to make. */
const MANY_USERS = 100;

/** All that there is to a schema but its rows: what a test has changed by hand must not meet another one. */
const SHAPE = `(
  WITH own AS (SELECT oid, relname FROM pg_class WHERE relnamespace = to_regnamespace('vitrine')), parts AS (
    SELECT format('%s', (nspowner, nspacl)) AS part FROM pg_namespace WHERE nspname = 'vitrine'
    UNION ALL
    SELECT format('%s', (relname, relkind, relowner, relacl, reloptions, relpersistence, relrowsecurity, relhastriggers))
    FROM own JOIN pg_class USING (oid, relname)
    UNION ALL
    SELECT format('%s', (relname, attname, attnum, atttypid, atttypmod, attcollation, attnotnull, atthasdef, attidentity,
      attstorage, attcompression, attstattarget, attacl))
    FROM own JOIN pg_attribute ON attrelid = own.oid WHERE attnum > 0
    UNION ALL
    SELECT format('%s', (relname, conname, contype, conkey, confkey, convalidated, confdeltype))
    FROM own JOIN pg_constraint ON conrelid = own.oid
    UNION ALL
    SELECT format('%s', (relname, indkey, indisunique, indisvalid, indisready))
    FROM own JOIN pg_index ON indexrelid = own.oid
    UNION ALL
    SELECT format('%s', (relname, tgtype, tgenabled, tgisinternal)) FROM own JOIN pg_trigger ON tgrelid = own.oid
    UNION ALL
    SELECT format('%s', (relname, rulename)) FROM own JOIN pg_rewrite ON ev_class = own.oid
    UNION ALL
    SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace('vitrine')
  )
  SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM parts)`;

/** All rows but those about the schema itself, which is there unless the test failed early. */
const DELETE_ROWS = `
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
  END`;

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
  /** Makes its schema where there is none. One that was put aside is there at once. */
  makeSchema(): Promise<void>;
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
