import type { MaybePromise } from "../async/maybe-promise.ts";
import type { Source } from "../store/contents.ts";
import type { Engine, OpenOptions } from "../store/engine.ts";
import { engineAt } from "../store/engines.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { Store, UserSummary } from "../store/store.ts";
import { OtherSchema } from "../store/unavailable.ts";
import { NoDatabase, noSuchUser } from "./failure.ts";

/** What every command is told that works on a database. */
export interface DatabaseOption {
  readonly database: DatabaseLocation;
}

/** The engine of a database that must be there already. */
export async function existingDatabase(location: DatabaseLocation): Promise<Engine> {
  const engine = await engineAt(location);
  if (!(await engine.exists())) throw new NoDatabase(engine.name);
  return engine;
}

type Work<Opened, Result> = (opened: Opened) => Promise<Result>;

/** Runs work with the store of a database that must be there already, and closes it in any case. */
export async function withStore<Result>(
  location: DatabaseLocation,
  work: Work<Store, Result>,
): Promise<Result> {
  return closing(await existingStore(location), work);
}

/** The same, for work that only reads. */
export async function withReadOnlyStore<Result>(
  location: DatabaseLocation,
  work: Work<Store, Result>,
): Promise<Result> {
  return closing(await existingStore(location, { readOnly: true }), work);
}

async function existingStore(location: DatabaseLocation, options?: OpenOptions): Promise<Store> {
  const engine = await engineAt(location);
  const store = await engine.openExisting(options);
  if (!store) throw new NoDatabase(engine.name);
  return store;
}

/** A user who must be there. */
export async function existingUser(store: Store, email: string): Promise<UserSummary> {
  const user = await store.records.summary(email);
  if (!user) throw noSuchUser(email);
  return user;
}

/** Runs work with what a database of this or an earlier version holds. */
export async function withSource<Result>(
  location: DatabaseLocation,
  work: Work<Source, Result>,
): Promise<Result> {
  const engine = await existingDatabase(location);
  return closing(await engine.openSource(), async (source) => {
    const version = await source.schemaVersion();
    if (version.found > version.expected) throw new OtherSchema(engine.name, version);
    return work(source);
  });
}

/** Runs work with something that is open, and closes it in any case. */
export async function closing<Opened extends { close(): MaybePromise<void> }, Result>(
  opened: Opened,
  work: Work<Opened, Result>,
): Promise<Result> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
