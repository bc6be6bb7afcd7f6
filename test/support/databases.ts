import type { UserRecord } from "../../src/records/record.ts";
import type { UserRow } from "../../src/store/contents.ts";
import type { CountWriterOptions } from "../../src/store/engine.ts";
import { engineAt } from "../../src/store/engines.ts";
import type { ServingWriter } from "../../src/store/hook-queue.ts";
import type { DatabaseLocation } from "../../src/store/location.ts";
import { MakingReader } from "../../src/store/making-reader.ts";
import type { DocumentReader } from "../../src/store/reader.ts";
import type { Progress, Store } from "../../src/store/store.ts";
import { OtherSchema, type SchemaVersion } from "../../src/store/unavailable.ts";

/** A store whose schema is made, or brought up to date, first. */
export async function openStore(location: DatabaseLocation, now = Date.now): Promise<Store> {
  const engine = await engineAt(location);
  // One connection does where there is nothing to upgrade.
  const existing = await engine.openExisting({ now }).catch(unlessOtherSchema);
  if (existing) return existing;
  await engine.upgrade();
  return engine.open({ now });
}

function unlessOtherSchema(error: unknown): undefined {
  if (!(error instanceof OtherSchema)) throw error;
}

/** A reader as a server has it, but one that keeps nothing of what it makes. */
export async function openReader(location: DatabaseLocation, connections = 1): Promise<DocumentReader> {
  return new MakingReader(await (await engineAt(location)).openReader({ connections }));
}

export async function openCountWriter(
  location: DatabaseLocation,
  options?: CountWriterOptions,
): Promise<ServingWriter> {
  return (await engineAt(location)).openCountWriter(options);
}

export async function databaseExists(location: DatabaseLocation): Promise<boolean> {
  return (await engineAt(location)).exists();
}

export async function schemaVersionAt(location: DatabaseLocation): Promise<SchemaVersion> {
  return (await engineAt(location)).schemaVersion();
}

export async function integrityFaults(location: DatabaseLocation): Promise<string[]> {
  const source = await (await engineAt(location)).openSource();
  try {
    return await source.integrityFaults();
  } finally {
    await source.close();
  }
}

/** All records, in the order in which their users were created. */
export async function recordsAt(location: DatabaseLocation): Promise<UserRecord[]> {
  const source = await (await engineAt(location)).openSource();
  try {
    return await source.asOfOneMoment(async (contents) => {
      const records: UserRecord[] = [];
      for (let last: UserRow | undefined; ; ) {
        const users = await contents.usersAfter(last);
        if (users.length === 0) return records;
        records.push(...users.map(({ record }) => JSON.parse(record) as UserRecord));
        last = users.at(-1);
      }
    });
  } finally {
    await source.close();
  }
}

/** Compiles the documents of all users anew, and returns of how many. */
export async function rebuild(
  { upkeep }: Store,
  onProgress: (progress: Progress) => void = () => {},
): Promise<number> {
  await upkeep.outdateAll();
  const total = await upkeep.outdated();
  let done = 0;
  for (;;) {
    const { users } = await upkeep.compileNext();
    if (users === 0) return done;
    done += users;
    onProgress({ done, total });
  }
}
