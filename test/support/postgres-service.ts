import { parseDatabaseUrl } from "../../src/store/location.ts";
import type { Store } from "../../src/store/store.ts";
import { done } from "./command-line.ts";
import { openStore } from "./databases.ts";
import { PostgresCluster } from "./postgres-cluster.ts";
import { Program } from "./program.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

/** A PostgreSQL server that a test may do anything to, with one person in its database, and the program. */
interface PostgresService extends AsyncDisposable {
  readonly cluster: PostgresCluster;
  readonly url: string;
  readonly program: Program;
  /** A key of the first person. */
  readonly key: string;
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
}

const DATABASE = "vitrine";

export async function startPostgresService(
  environment: Record<string, string> = {},
): Promise<PostgresService> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await PostgresCluster.start());
  cluster.createDatabase(DATABASE);
  const url = cluster.urlOf(DATABASE);
  const location = parseDatabaseUrl(url);
  if (!location) throw new Error(`not a URL of a database: ${url}`);
  const withStore: PostgresService["withStore"] = async (work) => {
    const store = await openStore(location);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  await withStore((store) => store.records.save([checkedRecord(writtenRecord(1))]));
  const program = stack.use(new Program({ DATABASE_URL: url, LIMIT_DEFAULT: "1000000", ...environment }));
  const key = await done(program, ["key", "create", writtenRecord(1).email]);
  const opened = stack.move();
  return { cluster, url, program, key, withStore, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
