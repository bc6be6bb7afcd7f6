import type { Engine } from "./engine.ts";
import type { DatabaseLocation } from "./location.ts";

/** The engine of the database at a location: the one place that asks which it is. */
export async function engineAt(location: DatabaseLocation): Promise<Engine> {
  switch (location.engine) {
    case "sqlite": {
      const { SqliteEngine } = await import("./sqlite/engine.ts");
      return new SqliteEngine(location);
    }
    case "postgres": {
      const { PostgresEngine } = await import("./postgres/engine.ts");
      return new PostgresEngine(location);
    }
  }
}
