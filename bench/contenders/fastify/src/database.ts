import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import * as schema from "./schema.js";

export function openDatabase(file: string) {
  const client = new Database(file);
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = NORMAL");
  const database = drizzle(client, { schema });
  migrate(database, { migrationsFolder: fileURLToPath(new URL("../drizzle", import.meta.url)) });
  return database;
}

export type AppDatabase = ReturnType<typeof openDatabase>;
