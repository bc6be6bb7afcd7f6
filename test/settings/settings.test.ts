import { describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import {
  fileVariable,
  readElsewhere,
  readSettings,
  SETTINGS,
  SettingError,
  type SettingName,
} from "../../src/settings.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** Reads one setting with a value from the given source, and nothing else set. */
function read<Name extends SettingName>(name: Name, value: string, source: "flag" | "variable" = "variable") {
  const flags = source === "flag" ? { [name]: value } : {};
  const environment = source === "variable" ? { [SETTINGS[name].variable]: value } : {};
  return readSettings([name], flags, environment)[name];
}

function refusal(read: () => unknown): SettingError {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingError) return error;
  }
  throw new Error("the setting was not refused");
}

const GOOD: Record<SettingName, readonly [text: string, value: unknown][]> = {
  database: [
    ["sqlite:vitrine.db", { engine: "sqlite", file: "vitrine.db" }],
    ["sqlite:/var/lib/vitrine/vitrine.db", { engine: "sqlite", file: "/var/lib/vitrine/vitrine.db" }],
    ["sqlite:///var/lib/vitrine/vitrine.db", { engine: "sqlite", file: "/var/lib/vitrine/vitrine.db" }],
    ["sqlite:./a folder/ü.db", { engine: "sqlite", file: "./a folder/ü.db" }],
    ["sqlite: vitrine.db \n", { engine: "sqlite", file: "vitrine.db" }],
    ...[
      "postgres://localhost/vitrine",
      "postgresql://ada:secret@db.example:6432/vitrine",
      "postgres://ada@db.example/vitrine?sslmode=verify-full",
      "postgres://ada@[::1]/a%20name",
      "postgres://ad%C3%A5:100%25@db.example/vitrine",
      "postgres://ada@db.example:6432/vitrine?sslmode=require&pgbouncer=true",
      "postgres:///vitrine?host=/var/run/postgresql",
    ].map((url): [string, unknown] => [url, { engine: "postgres", url }]),
  ],
  databaseRead: [
    [
      "postgres://ada@replica.example/vitrine",
      { engine: "postgres", url: "postgres://ada@replica.example/vitrine" },
    ],
    ["postgresql:///vitrine?host=/run", { engine: "postgres", url: "postgresql:///vitrine?host=/run" }],
  ],
  databasePoolSize: [
    ["1", 1],
    ["10", 10],
    ["1000", 1000],
  ],
  port: [
    ["0", 0],
    ["3000", 3000],
    ["65535", 65_535],
  ],
  host: [
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["::1", "::1"],
    ["localhost", "localhost"],
    ["my-host.example", "my-host.example"],
  ],
  logLevel: [
    ["debug", "debug"],
    ["info", "info"],
    ["warn", "warn"],
    ["error", "error"],
    ["silent", "silent"],
  ],
  publicUrl: [
    ["https://links.example", "https://links.example"],
    ["https://links.example/", "https://links.example"],
    ["HTTPS://Links.Example:443", "https://links.example"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ],
  siteName: [
    ["Links of the museum", "Links of the museum"],
    [" Ada ", "Ada"],
  ],
  securityContact: [
    ["security@links.example", "mailto:security@links.example"],
    ["mailto:security@links.example", "mailto:security@links.example"],
    ["https://links.example/security", "https://links.example/security"],
    ["", ""],
  ],
  previews: [
    ["0", false],
    ["1", true],
  ],
  corsOrigins: [
    ["https://ada.example", ["https://ada.example"]],
    ["https://ada.example,http://localhost:4321", ["https://ada.example", "http://localhost:4321"]],
    [" https://ada.example , https://b.example:8443 ", ["https://ada.example", "https://b.example:8443"]],
    ["https://ada.example,", ["https://ada.example"]],
    ["http://[::1]:3000", ["http://[::1]:3000"]],
    ["https://xn--bcher-kva.example", ["https://xn--bcher-kva.example"]],
  ],
  limitFull: [
    ["1", 1],
    ["30", 30],
    ["1000000", 1_000_000],
  ],
  limitDefault: [
    ["1", 1],
    ["60", 60],
    ["1000000", 1_000_000],
  ],
  limitFailed: [
    ["0", 0],
    ["1", 1],
    ["1000000", 1_000_000],
  ],
  trustedProxies: [
    ["10.0.0.0/8", [{ address: [0, 0, 0, 0, 0, 0xffff, 0x0a00, 0], bits: 104 }]],
    [
      " 127.0.0.1 , ::1 ",
      [
        { address: [0, 0, 0, 0, 0, 0xffff, 0x7f00, 1], bits: 128 },
        { address: [0, 0, 0, 0, 0, 0, 0, 1], bits: 128 },
      ],
    ],
  ],
  redis: [
    ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379"],
    ["rediss://ada:secret@redis.example:6380/2", "rediss://ada:secret@redis.example:6380/2"],
    ["valkey://[::1]", "valkey://[::1]"],
    ["redis://:secret@localhost/", "redis://:secret@localhost/"],
  ],
  hookDelay: [
    ["0", 0],
    ["10", 10],
    ["3600", 3600],
  ],
  hookPrivate: [
    ["0", false],
    ["1", true],
  ],
  workers: [
    ["1", 1],
    ["8", 8],
    ["auto", availableParallelism()],
  ],
  shutdownDelay: [
    ["0", 0],
    ["10", 10],
    ["300", 300],
  ],
  metricsPort: [
    ["0", 0],
    ["9090", 9090],
  ],
  metricsHost: [
    ["0.0.0.0", "0.0.0.0"],
    ["::1", "::1"],
  ],
  studioPort: [
    ["0", 0],
    ["3100", 3100],
  ],
  studioHost: [
    ["0.0.0.0", "0.0.0.0"],
    ["::1", "::1"],
  ],
  studioUrl: [
    ["https://studio.example", "https://studio.example"],
    ["https://studio.example:8443/", "https://studio.example:8443"],
    ["http://localhost:3100", "http://localhost:3100"],
  ],
  oidcIssuer: [
    ["https://login.example/realms/main", "https://login.example/realms/main"],
    ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
  ],
  oidcClientId: [
    ["vitrine", "vitrine"],
    ["a:b/c", "a:b/c"],
  ],
  oidcClientSecret: [
    ["any thing ü", "any thing ü"],
    ["other", "other"],
  ],
  oidcCreate: [
    ["1", true],
    ["0", false],
  ],
};

const NO_COUNT = ["0", "-1", "1.5", "1e3", "1000001", "many", " 30", "30 ", "0x10", "∞", "9".repeat(30)];

const BAD: Record<SettingName, readonly string[]> = {
  database: [
    "vitrine.db",
    "sqlite:",
    "sqlite::memory:",
    "sqlite:vitrine.db?mode=ro",
    "sqlite: ",
    "mysql://localhost/vitrine",
    "SQLITE:vitrine.db",
    "/tmp/x",
    "postgres:vitrine",
    "postgres://localhost",
    "postgres://localhost/",
    "postgres://localhost/%",
    "postgres://a%da@localhost/vitrine",
    "postgres://localhost:port/vitrine",
    "postgres://localhost/vitrine?sslmode=perhaps",
    "postgres://localhost/vitrine?pgbouncer=1",
    "POSTGRES://localhost/vitrine",
  ],
  databaseRead: [
    "sqlite:vitrine.db",
    "postgres://localhost",
    "replica.example/vitrine",
    "postgres://a%da@replica.example/vitrine",
  ],
  databasePoolSize: ["0", "1001", ...NO_COUNT],
  port: ["-1", "65536", "3000.5", "http", "3 000", "0x50", "1e3", "٣٠٠٠"],
  host: ["a b", "http://localhost", "localhost/", "a,b", "[::1]"],
  logLevel: ["verbose", "INFO", "warning", "5", "info,warn"],
  publicUrl: [
    "links.example",
    "https://links.example/bio",
    "https://links.example?x",
    "https://links.example/#x",
    "https://user@links.example",
    "ftp://links.example",
    "https://",
    "javascript:alert(1)",
  ],
  siteName: [" ", "x".repeat(101)],
  securityContact: ["nobody", "http://links.example/", "a b@links.example", "https://links.example/a\nb"],
  previews: ["off", "true", "2", "constructor"],
  corsOrigins: [
    "*",
    "null",
    "ada.example",
    "https://ada.example/",
    "https://ada.example/app",
    "https://ada.example?x",
    "https://ADA.example",
    "https://ada.example:443",
    "https://*.ada.example/",
    "https://*.ada.example",
    "https://*",
    "https://ada.example,http://a*b.example:8080",
    "https://user@ada.example",
    "ftp://ada.example",
    "https://",
    "https://ada.example https://b.example",
    "https://ada.example,nonsense",
  ],
  limitFull: NO_COUNT,
  limitDefault: NO_COUNT,
  limitFailed: NO_COUNT.filter((text) => text !== "0"),
  trustedProxies: [
    "proxy.example",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "10.0.0",
    "010.0.0.1",
    "fd00::/129",
    "127.0.0.1,",
    "127.0.0.1 ::1",
    "*",
  ],
  redis: [
    "127.0.0.1:6379",
    "redis:",
    "redis://",
    "redis:///0",
    "http://127.0.0.1:6379",
    "REDIS://127.0.0.1",
    "redis://127.0.0.1/first",
    "redis://a b",
  ],
  hookDelay: ["-1", "3601", "1.5", "soon"],
  hookPrivate: ["yes", "true", "2", "01", "constructor"],
  workers: ["0", "-1", "1.5", "257", "all", "AUTO", " 2"],
  shutdownDelay: ["-1", "0.5", "301", "10s", "soon"],
  metricsPort: ["-1", "65536", "off", "9090/tcp"],
  metricsHost: ["a b", "http://localhost", "[::1]"],
  studioPort: ["-1", "65536", "http"],
  studioHost: ["a b", "http://localhost"],
  studioUrl: [
    "studio.example",
    "http://studio.example",
    "https://127.0.0.1",
    "http://127.0.0.1:3100",
    "https://[::1]",
    "https://studio.example/path",
  ],
  oidcIssuer: ["login.example", "http://login.example", "ftp://login.example"],
  oidcClientId: ["an id"],
  // Whatever it is, it is never printed.
  oidcClientSecret: [],
  oidcCreate: ["yes", "2", "true"],
};

describe("without flags and variables", () => {
  test("every setting has the default that the documentation names", () => {
    expect(readSettings(NAMES, {}, {})).toEqual({
      database: { engine: "sqlite", file: "vitrine.db" },
      databaseRead: null,
      databasePoolSize: 10,
      port: 3000,
      host: "127.0.0.1",
      logLevel: "info",
      publicUrl: "",
      siteName: "Vitrine",
      securityContact: "",
      previews: true,
      corsOrigins: [],
      limitFull: 30,
      limitDefault: 60,
      limitFailed: 0,
      trustedProxies: [],
      redis: "",
      hookDelay: 10,
      hookPrivate: false,
      workers: 1,
      shutdownDelay: 0,
      metricsPort: null,
      metricsHost: "127.0.0.1",
      studioPort: 3100,
      studioHost: "127.0.0.1",
      studioUrl: "",
      oidcIssuer: "",
      oidcClientId: "",
      oidcClientSecret: "",
      oidcCreate: false,
    });
  });

  test("a variable that is empty counts as unset", () => {
    const empty = Object.fromEntries(NAMES.map((name) => [SETTINGS[name].variable, ""]));
    expect(readSettings(NAMES, {}, empty)).toEqual(readSettings(NAMES, {}, {}));
  });

  test("variables of other programs have no say", () => {
    const others = { port: "1", Port: "2", VITRINE_PORT: "3", HOSTNAME: "elsewhere" };
    expect(readSettings(NAMES, {}, others)).toEqual(readSettings(NAMES, {}, {}));
  });
});

describe("a database's password", () => {
  test.each([
    "postgres://ada:s3cret@db.example",
    "postgres://ada:%s3cret@db.example/vitrine",
    "postgres://ada:s3cret@s3cret@db.example/",
    "postgres://:s3cret@db.example/",
    "postgres:/ada:s3cret@db.example/vitrine",
    "ada:s3cret@db.example/vitrine",
    "mysql://ada:s3cret/s3cret@db.example/vitrine",
    "postgres://db.example?user=ada&password=s3cret",
  ])("is not said where %p is refused", (text) => {
    const { message } = refusal(() => read("database", text, "variable"));
    expect(message).not.toContain("s3cret");
    expect(message).toContain("db.example");
  });
});

describe("every setting", () => {
  test("has its variable, by the name that the issue gave it", () => {
    expect(NAMES.map((name) => SETTINGS[name].variable)).toEqual([
      "DATABASE_URL",
      "DATABASE_READ_URL",
      "DATABASE_POOL_SIZE",
      "PORT",
      "HOST",
      "LOG_LEVEL",
      "PUBLIC_URL",
      "SITE_NAME",
      "SECURITY_CONTACT",
      "PREVIEWS",
      "CORS_ORIGINS",
      "LIMIT_FULL",
      "LIMIT_DEFAULT",
      "LIMIT_FAILED",
      "TRUSTED_PROXIES",
      "REDIS_URL",
      "HOOK_DELAY",
      "HOOK_PRIVATE",
      "WORKERS",
      "SHUTDOWN_DELAY",
      "METRICS_PORT",
      "METRICS_HOST",
      "STUDIO_PORT",
      "STUDIO_HOST",
      "STUDIO_URL",
      "OIDC_ISSUER",
      "OIDC_CLIENT_ID",
      "OIDC_CLIENT_SECRET",
      "OIDC_CREATE",
    ]);
  });

  test("has a flag of its own", () => {
    const flags = NAMES.map((name) => SETTINGS[name].flag);
    expect(new Set(flags).size).toBe(flags.length);
    for (const flag of flags) expect(flag).toMatch(/^--[a-z-]+$/);
  });
});

describe.each(NAMES)("the setting %s", (name) => {
  test.each(GOOD[name])("takes %j", (text, value) => {
    expect(read(name, text, "variable") as unknown).toEqual(value);
    expect(read(name, text, "flag") as unknown).toEqual(value);
  });
});

describe.each(NAMES.filter((name) => BAD[name].length > 0))("the setting %s", (name) => {
  test.each(BAD[name])("refuses %j, names the variable and says what it must be", (text) => {
    const error = refusal(() => read(name, text, "variable"));
    expect(error.message).toBe(
      `${SETTINGS[name].variable} is ${JSON.stringify(text)}, but it must be ${SETTINGS[name].expected}`,
    );
  });

  test("refuses a wrong flag by the name of the flag", () => {
    const [text = ""] = BAD[name];
    const error = refusal(() => read(name, text, "flag"));
    expect(error.message).toStartWith(`${SETTINGS[name].flag} is ${JSON.stringify(text)}, but it must be `);
    expect(error.message).not.toContain(SETTINGS[name].variable);
  });

  test("is taken from the flag when the variable says something else", () => {
    const [[text, value] = ["", undefined], [other] = [""]] = GOOD[name];
    const settings = readSettings([name], { [name]: text }, { [SETTINGS[name].variable]: other });
    expect(settings[name] as unknown).toEqual(value);
  });

  test("is taken from a good flag even when the variable is wrong", () => {
    const [[text, value] = ["", undefined]] = GOOD[name];
    const [wrong = ""] = BAD[name];
    const settings = readSettings([name], { [name]: text }, { [SETTINGS[name].variable]: wrong });
    expect(settings[name] as unknown).toEqual(value);
  });
});

test("only the settings that are asked for are read: a wrong one elsewhere is no hindrance", () => {
  expect(readSettings(["port"], {}, { PORT: "8080", LIMIT_FULL: "none" })).toEqual({ port: 8080 });
});

test("origins are none when the flag says so, whatever the variable lists", () => {
  expect(readSettings(["corsOrigins"], { corsOrigins: "" }, { CORS_ORIGINS: "https://ada.example" })).toEqual(
    {
      corsOrigins: [],
    },
  );
});

test.each([
  ["https://bücher.example", "in ASCII (xn--…)"],
  ["https://Ada.example", "in small letters"],
  ["https://ada.example:443", "without a port where it is the usual one"],
  ["https://ada.example/", "without a slash at the end"],
  ["https://*.ada.example", "without *"],
])("a refusal of the origin %s says how a browser writes it: %s", (text, words) => {
  expect(refusal(() => read("corsOrigins", text)).message).toContain(words);
});

test.each([
  ["sqlite:vitrine.db?mode=ro", "without a ?"],
  ["postgres://localhost/vitrine?sslmode=no-verify", "an sslmode that PostgreSQL knows"],
  ["postgres://localhost/vitrine?pgbouncer=1", "pgbouncer true or false"],
])("a refusal of the database %s says what of it is wrong: %s", (text, words) => {
  expect(refusal(() => read("database", text)).message).toContain(words);
});

test.each([
  ["redis://ada:geheim@redis.example/first", "redis://ada:…@redis.example/first"],
  ["redis://:geheim@redis.example/first", "redis://:…@redis.example/first"],
  ["redis://ada:ge@he:im@redis.example/first", "redis://ada:…@redis.example/first"],
])("a refusal of %j does not repeat its password", (text, shown) => {
  const { message } = refusal(() => read("redis", text));
  expect(message).toStartWith(`REDIS_URL is ${JSON.stringify(shown)}, but`);
});

describe("a secret in a file", () => {
  const SECRETS = NAMES.filter((name) => (SETTINGS[name] as { isSecret?: true }).isSecret);

  test.each(SECRETS)("is what %s is read from, without the end of its line", async (name) => {
    using folder = new TemporaryFolder();
    const file = folder.file("secret");
    for (const [text, value] of GOOD[name]) {
      await Bun.write(file, `${text}\n`);
      const environment = { [fileVariable(SETTINGS[name].variable)]: file };
      expect(readSettings([name], {}, environment)[name] as unknown).toEqual(value);
    }
  });

  test("may begin with the mark of UTF-8 and end a line with two characters, as editors on Windows write it", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("secret");
    await Bun.write(file, "\uFEFFgeheim\r\n");
    const read = readSettings(["oidcClientSecret"], {}, { OIDC_CLIENT_SECRET_FILE: file });
    expect(read).toEqual({ oidcClientSecret: "geheim" });
  });

  test("gives way to a flag, and is not even read then", () => {
    const environment = { REDIS_URL_FILE: "/nowhere" };
    expect(readSettings(["redis"], { redis: "redis://a" }, environment)).toEqual({ redis: "redis://a" });
  });

  test("is refused beside the variable, where it cannot be read, is empty, or holds something else", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("secret");
    const refused = (environment: Record<string, string>) =>
      refusal(() => readSettings(["database"], {}, environment)).message;
    const is = `DATABASE_URL_FILE is ${JSON.stringify(file)}, but it must be`;
    expect(refused({ DATABASE_URL_FILE: file, DATABASE_URL: "sqlite:a.db" })).toBe(
      `${is} nothing where DATABASE_URL is set`,
    );
    expect(refused({ DATABASE_URL_FILE: file })).toBe(`${is} a file that can be read (ENOENT)`);
    for (const text of ["\n", "geheim"]) {
      await Bun.write(file, text);
      expect(refused({ DATABASE_URL_FILE: file })).toBe(
        `${is} a file that holds ${SETTINGS.database.expected}`,
      );
    }
  });

  test("may be the key of a server elsewhere", async () => {
    using folder = new TemporaryFolder();
    const file = folder.file("key");
    await Bun.write(file, "vit_key\n");
    const VITRINE_URL = "https://links.example";
    expect(readElsewhere({ VITRINE_URL, VITRINE_KEY_FILE: file })).toEqual({
      url: VITRINE_URL,
      key: "vit_key",
    });
  });
});
