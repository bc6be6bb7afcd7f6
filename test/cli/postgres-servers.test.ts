import { cliOnPostgres } from "../support/cli-on-postgres.ts";

cliOnPostgres("servers");
