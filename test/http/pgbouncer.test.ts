import { onPostgres } from "../support/on-postgres.ts";
import { pgbouncer, startPgBouncer, withPgBouncer } from "../support/pgbouncer.ts";

/** Where the store is asked; the rest is the same whatever it says. */
const FILES = ["authentication", "counting", "pages", "spec"];

withPgBouncer(() =>
  onPostgres(
    FILES.map((name) => `${import.meta.dir}/${name}.test.ts`),
    pgbouncer,
    startPgBouncer,
  ),
);
