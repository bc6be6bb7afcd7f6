/** Where the data is, as `DATABASE_URL` says it. Plain data, so that another thread can be told. */
export type DatabaseLocation = SqliteLocation | PostgresLocation;

export interface SqliteLocation {
  readonly engine: "sqlite";
  readonly file: string;
}

export interface PostgresLocation {
  readonly engine: "postgres";
  /** May hold a password, so it is never shown: `describeDatabase` has what people are told. */
  readonly url: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

export function parseDatabaseUrl(url: string): DatabaseLocation | undefined {
  return parseSqliteUrl(url) ?? parsePostgresUrl(url);
}

/**
 * `sqlite:vitrine.db`, `sqlite:/var/lib/vitrine/vitrine.db` or `sqlite:///var/lib/vitrine/vitrine.db`. Blanks around the
 * name are left out by Bun when it opens the file, so that no other part may look for one with them.
 */
function parseSqliteUrl(url: string): SqliteLocation | undefined {
  const match = /^sqlite:(?:\/\/(?=\/))?([^?]+)$/.exec(url);
  const file = match?.[1]?.trim() ?? "";
  return file === "" || file === ":memory:" ? undefined : { engine: "sqlite", file };
}

/** `postgres://user:password@host:5432/database?sslmode=require`, as other programs take it, and `?pgbouncer=true`. */
export function parsePostgresUrl(text: string): PostgresLocation | undefined {
  const url = /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !databaseNameIn(url)) return undefined;
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) return undefined;
  const isKnown =
    SSL_MODES.includes(url.searchParams.get("sslmode") ?? "prefer") &&
    ["true", "false"].includes(url.searchParams.get("pgbouncer") ?? "false");
  return isKnown ? { engine: "postgres", url: text } : undefined;
}

/** Whether a connection is another one with each transaction. */
export function isBehindPgBouncer({ url }: PostgresLocation): boolean {
  return new URL(url).searchParams.get("pgbouncer") === "true";
}

/** A variable with a URL, as a shell is to hand it to PostgreSQL's own tools: they refuse `pgbouncer`. */
export function urlForTools(variable: string, location: PostgresLocation): string {
  return isBehindPgBouncer(location) ? `"\${${variable}%%\\?*}"` : `"$${variable}"`;
}

/** The name of the database, or nothing where there is none that could be read. */
export function databaseNameIn({ pathname }: URL): string {
  return decoded(pathname.slice(1)) ?? "";
}

/** A part of a URL as it was meant, or nothing where a `%` in it does not begin the code of a character. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A location in words for people: the file, or server and database, and never a password. */
export function describeDatabase(location: DatabaseLocation): string {
  if (location.engine === "sqlite") return location.file;
  const url = new URL(location.url);
  return `${url.host || url.searchParams.get("host") || "localhost"}/${databaseNameIn(url)}`;
}

/** A text that may be a URL with a password in it, without what that could be. */
export function withoutCredentials(text: string): string {
  return text.replace(/:(?!\/\/).*@/s, ":…@").replace(/(password=)[^&]*/gi, "$1…");
}
