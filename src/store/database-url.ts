/** Where the data is, as `DATABASE_URL` says it. */
export interface SqliteLocation {
  readonly engine: "sqlite";
  readonly file: string;
}

export type DatabaseLocation = SqliteLocation;

/** `sqlite:vitrine.db`, `sqlite:/var/lib/vitrine/vitrine.db` or `sqlite:///var/lib/vitrine/vitrine.db`. */
export function parseDatabaseUrl(url: string): DatabaseLocation | undefined {
  const match = /^sqlite:(?:\/\/(?=\/))?([^?]+)$/.exec(url);
  const file = match?.[1];
  return file === undefined || file === ":memory:" ? undefined : { engine: "sqlite", file };
}
