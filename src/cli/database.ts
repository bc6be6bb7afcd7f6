import type { DatabaseLocation } from "../store/database-url.ts";
import { databaseExists, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { noDatabase } from "./failure.ts";

/** Runs work with the store of a database that must be there already, and closes it whatever happens. */
export async function withStore<Result>(
  location: DatabaseLocation,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  if (!(await databaseExists(location))) throw noDatabase(location);
  return withNewStore(location, work);
}

/** The same, for commands that make the database where there is none. */
export async function withNewStore<Result>(
  location: DatabaseLocation,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
