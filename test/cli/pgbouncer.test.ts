import { onPostgres } from "../support/on-postgres.ts";
import { pgbouncer, startPgBouncer, withPgBouncer } from "../support/pgbouncer.ts";

const FILES = ["import", "migrate"];

withPgBouncer(() =>
  onPostgres(
    FILES.map((name) => `${import.meta.dir}/${name}.test.ts`),
    pgbouncer,
    startPgBouncer,
  ),
);
