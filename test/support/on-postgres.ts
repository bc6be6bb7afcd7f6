import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { ENGINES, postgres, sqlite, useEngine } from "./engines.ts";
import { postgresServer } from "./postgres-server.ts";

/** Says the sentences of other test files once more, with PostgreSQL under them. */
export function onPostgres(files: readonly string[]): void {
  if (!ENGINES.includes(postgres)) return;
  // The first test may have to start the server.
  setDefaultTimeout(60_000);
  describe(postgres.name, async () => {
    beforeAll(async () => {
      await postgresServer();
      useEngine(postgres);
    }, 60_000);
    afterAll(() => useEngine(sqlite));
    useEngine(postgres);
    // Under another name, so that a file that has been loaded before is loaded again.
    for (const file of files) await import(`${file}?${postgres.name}`);
    useEngine(sqlite);
  });
}
