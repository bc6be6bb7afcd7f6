import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { ENGINES, type Engine, postgres, sqlite, useEngine } from "./engines.ts";
import { postgresServer } from "./postgres-server.ts";

/** Says the sentences of other test files once more, with PostgreSQL under them. */
export function onPostgres(
  files: readonly string[],
  engine: Engine = postgres,
  start: () => Promise<unknown> = postgresServer,
): void {
  if (!ENGINES.includes(postgres)) return;
  // The first test may have to start the server.
  setDefaultTimeout(300_000);
  describe(engine.name, async () => {
    beforeAll(async () => {
      await start();
      useEngine(engine);
    }, 300_000);
    afterAll(() => useEngine(sqlite));
    useEngine(engine);
    // Under another name, so that a file that has been loaded before is loaded again.
    for (const file of files) await import(`${file}?${engine.name}`);
    useEngine(sqlite);
  });
}
