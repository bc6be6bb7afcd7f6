import { onPostgres } from "../support/on-postgres.ts";
import { pgbouncer, startPgBouncer, withPgBouncer } from "../support/pgbouncer.ts";

/** Reading, writing much at once and migrating. What commands say of it all is the same without PgBouncer. */
const FILES = ["export", "import-beside-others", "migrate"];

withPgBouncer(() =>
  onPostgres(
    FILES.map((name) => `${import.meta.dir}/${name}.test.ts`),
    pgbouncer,
    startPgBouncer,
  ),
);
