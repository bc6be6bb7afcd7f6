import { type DatabaseLocation, describeDatabase } from "../../store/database-url.ts";
import { openStore, schemaVersionAt } from "../../store/open.ts";
import { print, printJson } from "../output.ts";

/** Brings the schema up to date, as opening a store does, and says what that was. */
export async function migrate(options: { database: DatabaseLocation; json: boolean }): Promise<void> {
  const { found: from, expected: to } = await schemaVersionAt(options.database);
  await (await openStore(options.database)).close();
  if (options.json) printJson({ from, to });
  else if (from === to) print(`The schema is up to date (version ${to}).`);
  else if (from === 0) print(`Made the schema at ${describeDatabase(options.database)} (version ${to}).`);
  else print(`Brought the schema from version ${from} to version ${to}.`);
}
