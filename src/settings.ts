import { availableParallelism } from "node:os";
import { type DatabaseLocation, parseDatabaseUrl, withoutCredentials } from "./store/database-url.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Settings {
  readonly database: DatabaseLocation;
  readonly databasePoolSize: number;
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** Empty where it is not known. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly limitFull: number;
  readonly limitDefault: number;
  /** The URL of a Redis. Empty where there is none. */
  readonly redis: string;
  readonly workers: number;
  readonly shutdownDelay: number;
  /** Absent where no metrics are served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
}

/** A setting that cannot be used, by the name its reader knows it by. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly expected: string;

  constructor(setting: string, value: string, expected: string) {
    super(`${setting} is ${JSON.stringify(withoutCredentials(value))}, but it must be ${expected}`);
    this.expected = expected;
  }
}

interface Setting<Value> {
  readonly variable: string;
  readonly flag: string;
  readonly placeholder: string;
  readonly fallback: string;
  readonly description: string;
  /** What a value must be, to follow "must be". */
  readonly expected: string;
  readonly parse: (text: string) => Value | undefined;
}

/** More than any machine has cores to use. */
const MOST_WORKERS = 256;

/** Every setting: flags, environment variables, `--help` and the documentation are derived from this table. */
export const SETTINGS: { readonly [Name in keyof Settings]: Setting<Settings[Name]> } = {
  database: {
    variable: "DATABASE_URL",
    flag: "--database",
    placeholder: "<url>",
    fallback: "sqlite:vitrine.db",
    description: "where the data is",
    expected: "a URL such as sqlite:vitrine.db or postgres://user:password@host:5432/database",
    parse: parseDatabaseUrl,
  },
  databasePoolSize: {
    variable: "DATABASE_POOL_SIZE",
    flag: "--database-pool-size",
    placeholder: "<number>",
    fallback: "10",
    description: "how many connections to PostgreSQL a server reads through",
    expected: "a whole number from 1 to 1000",
    parse: (text) => wholeNumber(text, 1, 1000),
  },
  port: {
    variable: "PORT",
    flag: "--port",
    placeholder: "<number>",
    fallback: "3000",
    description: "the TCP port to serve on; 0 takes a free one",
    expected: "a whole number from 0 to 65535",
    parse: (text) => wholeNumber(text, 0, 65_535),
  },
  host: {
    variable: "HOST",
    flag: "--host",
    placeholder: "<address>",
    fallback: "127.0.0.1",
    description: "the address to serve on; 0.0.0.0 is every one",
    expected: "a host name or an IP address",
    parse: parseHost,
  },
  logLevel: {
    variable: "LOG_LEVEL",
    flag: "--log-level",
    placeholder: "<level>",
    fallback: "info",
    description: `the least level that is logged: ${LOG_LEVELS.join(", ")}`,
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  },
  publicUrl: {
    variable: "PUBLIC_URL",
    flag: "--public-url",
    placeholder: "<origin>",
    fallback: "",
    description: "the origin that visitors reach the server at, for the addresses of link tree pages",
    expected: "an origin without a path, such as https://links.example",
    parse: parsePublicUrl,
  },
  corsOrigins: {
    variable: "CORS_ORIGINS",
    flag: "--cors-origins",
    placeholder: "<origins>",
    fallback: "",
    description: "the origins, separated by commas, whose pages may call the API from a browser",
    expected: "a list of origins separated by commas, such as https://ada.example,http://localhost:4321",
    parse: parseOrigins,
  },
  limitFull: {
    variable: "LIMIT_FULL",
    flag: "--limit-full",
    placeholder: "<number>",
    fallback: "30",
    description: "requests a minute that a user may make to /user/full",
    expected: "a whole number from 1 to 1000000",
    parse: (text) => wholeNumber(text, 1, 1_000_000),
  },
  limitDefault: {
    variable: "LIMIT_DEFAULT",
    flag: "--limit-default",
    placeholder: "<number>",
    fallback: "60",
    description: "requests a minute that a user may make to each other endpoint",
    expected: "a whole number from 1 to 1000000",
    parse: (text) => wholeNumber(text, 1, 1_000_000),
  },
  redis: {
    variable: "REDIS_URL",
    flag: "--redis",
    placeholder: "<url>",
    fallback: "",
    description: "the Redis or Valkey in which several instances or workers count together",
    expected: "a URL such as redis://127.0.0.1:6379 or rediss://user:password@redis.example:6380/0",
    parse: parseRedisUrl,
  },
  workers: {
    variable: "WORKERS",
    flag: "--workers",
    placeholder: "<number>",
    fallback: "1",
    description: "how many processes serve; auto is one for each core",
    expected: `a whole number from 1 to ${MOST_WORKERS}, or auto`,
    parse: (text) => (text === "auto" ? availableParallelism() : wholeNumber(text, 1, MOST_WORKERS)),
  },
  shutdownDelay: {
    variable: "SHUTDOWN_DELAY",
    flag: "--shutdown-delay",
    placeholder: "<seconds>",
    fallback: "0",
    description: "how long to go on serving after SIGTERM, so that a load balancer sees that /readyz says no",
    expected: "a whole number of seconds from 0 to 300",
    parse: (text) => wholeNumber(text, 0, 300),
  },
  metricsPort: {
    variable: "METRICS_PORT",
    flag: "--metrics-port",
    placeholder: "<number>",
    fallback: "",
    description: "the TCP port for Prometheus metrics; without it there are none",
    expected: "a whole number from 0 to 65535",
    parse: (text) => (text === "" ? null : wholeNumber(text, 0, 65_535)),
  },
  metricsHost: {
    variable: "METRICS_HOST",
    flag: "--metrics-host",
    placeholder: "<address>",
    fallback: "127.0.0.1",
    description: "the address to serve metrics on",
    expected: "a host name or an IP address",
    parse: parseHost,
  },
};

export type SettingName = keyof Settings;

function parseHost(text: string): string | undefined {
  return /^[\w.:-]+$/.test(text) ? text : undefined;
}

/** What Bun's client takes; a path is the number of a database. */
function parseRedisUrl(text: string): string | undefined {
  if (text === "") return "";
  const isOne = /^(?:redis|rediss|valkey):\/\/[^/]/.test(text) && URL.canParse(text);
  return isOne && /^\/?\d{0,3}$/.test(new URL(text).pathname) ? text : undefined;
}

/** Reads settings from flags, else from the environment, else their defaults. */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  flags: { readonly [name in SettingName]?: string },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Settings, Name> {
  const read = (name: Name) => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const flag = flags[name];
    // An empty variable counts as unset: that is how a unit file or a shell clears one.
    const text = flag ?? (environment[setting.variable] || setting.fallback);
    const value = setting.parse(text);
    if (value !== undefined) return value;
    throw new SettingError(flag === undefined ? setting.variable : setting.flag, text, setting.expected);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Pick<Settings, Name>;
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Origins as a browser writes them in `Origin`: scheme, host and port, and nothing behind. */
function parseOrigins(text: string): string[] | undefined {
  const origins = text
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);
  return origins.every(isOrigin) ? origins : undefined;
}

/** A slash at the end is forgiven. A path is not: pages link to each other from the root. */
function parsePublicUrl(text: string): string | undefined {
  if (text === "") return "";
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.href === `${url?.origin}/` ? url?.origin : undefined;
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
