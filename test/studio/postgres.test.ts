import { onPostgres } from "../support/on-postgres.ts";

onPostgres([
  `${import.meta.dir}/entering.test.ts`,
  `${import.meta.dir}/records.test.ts`,
  `${import.meta.dir}/history.test.ts`,
  `${import.meta.dir}/permissions.test.ts`,
  `${import.meta.dir}/files.test.ts`,
  `${import.meta.dir}/passkeys.test.ts`,
  `${import.meta.dir}/hooks.test.ts`,
  `${import.meta.dir}/doors.test.ts`,
  `${import.meta.dir}/oidc.test.ts`,
]);
