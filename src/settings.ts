import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Network, parseNetwork } from "./addresses.ts";
import { LOG_LEVELS, type LogLevel } from "./logging/level.ts";
import {
  type DatabaseLocation,
  type PostgresLocation,
  parseDatabaseUrl,
  parsePostgresUrl,
  withoutCredentials,
} from "./store/location.ts";

export interface Settings {
  readonly database: DatabaseLocation;
  /** Where a server reads instead. Absent where that is the database itself. */
  readonly databaseRead: PostgresLocation | null;
  readonly databasePoolSize: number;
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** Empty where it is not known. */
  readonly publicUrl: string;
  readonly siteName: string;
  /** A URL. Empty where nobody is named. */
  readonly securityContact: string;
  readonly previews: boolean;
  readonly corsOrigins: readonly string[];
  readonly limitFull: number;
  readonly limitDefault: number;
  /** Zero where there is none. */
  readonly limitFailed: number;
  readonly trustedProxies: readonly Network[];
  /** The URL of a Redis. Empty where there is none. */
  readonly redis: string;
  /** In seconds. */
  readonly hookDelay: number;
  readonly hookPrivate: boolean;
  readonly workers: number;
  readonly shutdownDelay: number;
  /** Absent where no metrics are served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
}

/** What only the studio is set by. */
export interface StudioSettings {
  readonly studioPort: number;
  readonly studioHost: string;
  /** Empty where the studio is reached on this machine alone. */
  readonly studioUrl: string;
  /** Empty where nobody signs in through a provider. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcCreate: boolean;
}

export type AllSettings = Settings & StudioSettings;

/** A setting that cannot be used, by the name its reader knows it by. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly setting: string;
  readonly expected: string;

  constructor(setting: string, value: string, expected: string) {
    super(`${setting} is ${JSON.stringify(withoutCredentials(value))}, but it must be ${expected}`);
    this.setting = setting;
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
  /** Whether a value is, or may hold, what nobody else should see. Then it may also be in a file. */
  readonly isSecret?: true;
}

/** More than any machine has cores to use. */
const MAX_WORKERS = 256;

/** What several settings have in common. */
const HOST = {
  placeholder: "<address>",
  expected: "a host name or an IP address",
  parse: (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined),
};
const PORT = numberFrom(0, 65_535);
const SWITCH = {
  placeholder: "<0|1>",
  expected: "0 or 1",
  parse: (text: string) => (text === "0" || text === "1" ? text === "1" : undefined),
};

/** What is said of a whole number, and how it is read. */
function numberFrom(least: number, most: number) {
  return {
    placeholder: "<number>",
    expected: `a whole number from ${least} to ${most}`,
    parse: (text: string) => wholeNumber(text, least, most),
  };
}

const PARTS_OF_POSTGRES_URL =
  "with user and password percent-encoded, an sslmode that PostgreSQL knows, and pgbouncer true or false";

/** Every setting: flags, environment variables, `--help` and the documentation are derived from this table. */
export const SETTINGS: { readonly [Name in keyof AllSettings]: Setting<AllSettings[Name]> } = {
  database: {
    variable: "DATABASE_URL",
    flag: "--database",
    placeholder: "<url>",
    fallback: "sqlite:vitrine.db",
    description: "where the data is",
    expected: `a URL such as sqlite:vitrine.db, without a ?, or postgres://user:password@host:5432/database, ${PARTS_OF_POSTGRES_URL}`,
    parse: parseDatabaseUrl,
    isSecret: true,
  },
  databaseRead: {
    variable: "DATABASE_READ_URL",
    flag: "--database-read",
    placeholder: "<url>",
    fallback: "",
    description: "a replica of the PostgreSQL database, for a server to read from",
    expected: `a URL such as postgres://user:password@replica:5432/database, ${PARTS_OF_POSTGRES_URL}`,
    parse: (text) => (text === "" ? null : parsePostgresUrl(text)),
    isSecret: true,
  },
  databasePoolSize: {
    variable: "DATABASE_POOL_SIZE",
    flag: "--database-pool-size",
    fallback: "10",
    description: "how many connections to PostgreSQL a server reads through",
    ...numberFrom(1, 1000),
  },
  port: {
    variable: "PORT",
    flag: "--port",
    fallback: "3000",
    description: "the TCP port of the server; 0 takes a free one",
    ...PORT,
  },
  host: {
    variable: "HOST",
    flag: "--host",
    fallback: "127.0.0.1",
    description: "the address that the server listens on; 0.0.0.0 is every one",
    ...HOST,
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
  siteName: {
    variable: "SITE_NAME",
    flag: "--site-name",
    placeholder: "<name>",
    fallback: "Vitrine",
    description: "what the front page calls the site",
    expected: "a name of 1 to 100 characters",
    parse: (text) => (text.trim() !== "" && text.length <= 100 ? text.trim() : undefined),
  },
  securityContact: {
    variable: "SECURITY_CONTACT",
    flag: "--security-contact",
    placeholder: "<address>",
    fallback: "",
    description: "whom to tell of security problems, for /.well-known/security.txt; without it there is none",
    expected: "an e-mail address or an https URL",
    parse: parseContact,
  },
  previews: {
    variable: "PREVIEWS",
    flag: "--previews",
    fallback: "1",
    description: "whether pictures are drawn for those who show a shared page",
    ...SWITCH,
  },
  corsOrigins: {
    variable: "CORS_ORIGINS",
    flag: "--cors-origins",
    placeholder: "<origins>",
    fallback: "",
    description: "the origins, separated by commas, whose pages may call the API from a browser",
    expected:
      "a list of origins separated by commas, each as a browser writes it: in small letters, in ASCII (xn--…), without a port where it is the usual one, without a slash at the end and without *, such as https://ada.example,http://localhost:4321",
    parse: parseOrigins,
  },
  limitFull: {
    variable: "LIMIT_FULL",
    flag: "--limit-full",
    fallback: "30",
    description: "requests a minute that a user may make to /user/full",
    ...numberFrom(1, 1_000_000),
  },
  limitDefault: {
    variable: "LIMIT_DEFAULT",
    flag: "--limit-default",
    fallback: "60",
    description: "requests a minute that a user may make to each other endpoint",
    ...numberFrom(1, 1_000_000),
  },
  limitFailed: {
    variable: "LIMIT_FAILED",
    flag: "--limit-failed",
    fallback: "0",
    description: "requests a minute without a good key that an address may make; 0 is no limit",
    ...numberFrom(0, 1_000_000),
  },
  trustedProxies: {
    variable: "TRUSTED_PROXIES",
    flag: "--trusted-proxies",
    placeholder: "<addresses>",
    fallback: "",
    description: "the proxies, separated by commas, whose X-Forwarded-For tells who a request comes from",
    expected:
      "a list of IP addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8",
    parse: parseNetworks,
  },
  redis: {
    variable: "REDIS_URL",
    flag: "--redis",
    placeholder: "<url>",
    fallback: "",
    description: "the Redis or Valkey in which several instances or workers count together",
    expected: "a URL such as redis://127.0.0.1:6379 or rediss://user:password@redis.example:6380/0",
    parse: parseRedisUrl,
    isSecret: true,
  },
  hookDelay: {
    variable: "HOOK_DELAY",
    flag: "--hook-delay",
    placeholder: "<seconds>",
    fallback: "10",
    description: "how long a change waits for others, so that all of them are announced to hooks together",
    expected: "a whole number of seconds from 0 to 3600",
    parse: (text) => wholeNumber(text, 0, 3600),
  },
  hookPrivate: {
    variable: "HOOK_PRIVATE",
    flag: "--hook-private",
    fallback: "0",
    description: "whether hooks may lead to addresses that are not of the public Internet",
    ...SWITCH,
  },
  workers: {
    variable: "WORKERS",
    flag: "--workers",
    placeholder: "<number>",
    fallback: "1",
    description: "how many processes serve; auto is one for each core",
    expected: `a whole number from 1 to ${MAX_WORKERS}, or auto`,
    parse: (text) => (text === "auto" ? availableParallelism() : wholeNumber(text, 1, MAX_WORKERS)),
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
    fallback: "",
    description: "the TCP port for Prometheus metrics; without it there are none",
    ...PORT,
    parse: (text) => (text === "" ? null : PORT.parse(text)),
  },
  metricsHost: {
    variable: "METRICS_HOST",
    flag: "--metrics-host",
    fallback: "127.0.0.1",
    description: "the address to serve metrics on",
    ...HOST,
  },
  studioPort: {
    variable: "STUDIO_PORT",
    flag: "--studio-port",
    fallback: "3100",
    description: "the TCP port of the studio; 0 takes a free one",
    ...PORT,
  },
  studioHost: {
    variable: "STUDIO_HOST",
    flag: "--studio-host",
    fallback: "127.0.0.1",
    description: "the address that the studio listens on",
    ...HOST,
  },
  studioUrl: {
    variable: "STUDIO_URL",
    flag: "--studio-url",
    placeholder: "<origin>",
    fallback: "",
    description: "the origin that owners reach the studio at, behind a proxy; without it that is localhost",
    expected:
      "an origin with a host name and without a path, such as https://studio.example; http only for localhost",
    parse: parseStudioUrl,
  },
  oidcIssuer: {
    variable: "OIDC_ISSUER",
    flag: "--oidc-issuer",
    placeholder: "<url>",
    fallback: "",
    description: "the OpenID Connect provider that owners sign in to the studio through",
    expected: "a URL such as https://login.example/realms/main; http only for this machine",
    parse: parseIssuer,
  },
  oidcClientId: {
    variable: "OIDC_CLIENT_ID",
    flag: "--oidc-client-id",
    placeholder: "<id>",
    fallback: "",
    description: "what the provider knows the studio by",
    expected: "the id that the provider gave, without spaces",
    parse: (text) => (/\s/.test(text) ? undefined : text),
  },
  oidcClientSecret: {
    variable: "OIDC_CLIENT_SECRET",
    flag: "--oidc-client-secret",
    placeholder: "<secret>",
    fallback: "",
    description: "the secret that the provider gave; better as a variable, since others can see flags",
    expected: "the secret that the provider gave",
    parse: (text) => text,
    isSecret: true,
  },
  oidcCreate: {
    variable: "OIDC_CREATE",
    flag: "--oidc-create",
    fallback: "0",
    description: "1 makes users of people whom the provider knows and the studio does not",
    ...SWITCH,
  },
};

export type SettingName = keyof AllSettings;

/** The settings of the studio, which a server has no use for. */
export const STUDIO_SETTINGS = [
  "studioPort",
  "studioHost",
  "studioUrl",
  "oidcIssuer",
  "oidcClientId",
  "oidcClientSecret",
  "oidcCreate",
] as const satisfies readonly (keyof StudioSettings)[];

/** The names of this machine, for which plain HTTP will do. */
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** An origin that passkeys can belong to: a name, and no number. */
function parseStudioUrl(text: string): string | undefined {
  const origin = parsePublicUrl(text);
  if (!origin) return origin;
  const { protocol, hostname } = new URL(origin);
  if (/^[\d.]+$|^\[/.test(hostname)) return undefined;
  return protocol === "https:" || hostname === "localhost" ? origin : undefined;
}

function parseIssuer(text: string): string | undefined {
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOCAL.test(url.hostname));
  return isSafe ? text : undefined;
}

/** Where the pages of link trees are: the public address, or else the one that the server listens on. */
export function pagesUrl({ publicUrl, host, port }: Pick<Settings, "publicUrl" | "host" | "port">): string {
  if (publicUrl) return publicUrl;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** RFC 9116, section 2.5.3: a contact is a URL, and an e-mail address one of mailto. */
function parseContact(text: string): string | undefined {
  if (text === "") return text;
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return `mailto:${text}`;
  return /^(?:https:\/\/|mailto:)[!-~]+$/.test(text) ? text : undefined;
}

function parseNetworks(text: string): Network[] | undefined {
  if (text.trim() === "") return [];
  const networks = text.split(",").map((part) => parseNetwork(part.trim()));
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

/** What Bun's client takes; a path is the number of a database. */
function parseRedisUrl(text: string): string | undefined {
  if (text === "") return "";
  const isOne = /^(?:redis|rediss|valkey):\/\/[^/]/.test(text) && URL.canParse(text);
  return isOne && /^\/?\d{0,3}$/.test(new URL(text).pathname) ? text : undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings from flags, else from the environment or the files that it names, else their defaults. */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  flags: { readonly [name in SettingName]?: string },
  environment: Environment = process.env,
): Pick<AllSettings, Name> {
  const read = (name: Name) => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const { variable, parse, expected } = setting;
    const flag = flags[name];
    const file = flag === undefined && setting.isSecret ? fileNamedFor(variable, environment) : undefined;
    const inFile = file && readSecret(variable, file, expected);
    // An empty variable counts as unset: that is how a unit file or a shell clears one.
    const text = flag ?? inFile ?? (environment[variable] || setting.fallback);
    const value = parse(text);
    if (value !== undefined) return value;
    if (file) throw notInFile(variable, file, expected);
    throw new SettingError(flag === undefined ? variable : setting.flag, text, expected);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Pick<AllSettings, Name>;
}

/** The variable that names the file in which a secret is, as systemd and containers hand secrets over. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

function fileNamedFor(variable: string, environment: Environment): string | undefined {
  const file = environment[fileVariable(variable)];
  if (!file) return undefined;
  if (environment[variable])
    throw new SettingError(fileVariable(variable), file, `nothing where ${variable} is set`);
  return file;
}

/** What a file holds, without what editors add: the end of the line, and on Windows a mark before the first one. */
function readSecret(variable: string, file: string, expected: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF|(?:\r?\n)+$/g, "");
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new SettingError(fileVariable(variable), file, `a file that can be read (${code})`);
  }
  if (text === "") throw notInFile(variable, file, expected);
  return text;
}

/** A refusal that names the file, and nothing of what is in it. */
function notInFile(variable: string, file: string, expected: string): SettingError {
  return new SettingError(fileVariable(variable), file, `a file that holds ${expected}`);
}

/** A server elsewhere, as the environment names it. */
export interface Elsewhere {
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** Read from the environment alone: a key among the arguments could be read by everybody on the machine. */
export function readElsewhere(environment: Environment = process.env): Elsewhere {
  const file = fileNamedFor("VITRINE_KEY", environment);
  const key = file ? readSecret("VITRINE_KEY", file, "a key of that server") : environment.VITRINE_KEY;
  return { url: environment.VITRINE_URL || undefined, key: key || undefined };
}

/** Whether the terminal says of itself that it does nothing but print. */
export function isTerminalDumb(environment: Environment = process.env): boolean {
  return environment.TERM === "dumb";
}

/** Whether a shell that has started the program knows this variable, too. */
export function isInEnvironment(variable: string, environment: Environment = process.env): boolean {
  return Boolean(environment[variable]);
}

/** Whether npx has started the program, as in a checkout, where the shell does not find it. */
export function isStartedByNpx(environment: Environment = process.env): boolean {
  return environment.npm_lifecycle_event === "npx";
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

/** A host that a page can come from: URLs take `*` and more in a name, but no browser would ever send it. */
const HOST_OF_PAGES = /^(?:[a-z\d._-]+|\[[a-f\d:]+\])$/;

function isOrigin(text: string): boolean {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.origin === text && HOST_OF_PAGES.test(url.hostname);
}
