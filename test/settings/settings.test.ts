import { describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { readSettings, SETTINGS, SettingError, type SettingName } from "../../src/settings.ts";

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
    ...[
      "postgres://localhost/vitrine",
      "postgresql://ada:secret@db.example:6432/vitrine",
      "postgres://ada@db.example/vitrine?sslmode=verify-full",
      "postgres://ada@[::1]/a%20name",
      "postgres:///vitrine?host=/var/run/postgresql",
    ].map((url): [string, unknown] => [url, { engine: "postgres", url }]),
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
  redis: [
    ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379"],
    ["rediss://ada:secret@redis.example:6380/2", "rediss://ada:secret@redis.example:6380/2"],
    ["valkey://[::1]", "valkey://[::1]"],
    ["redis://:secret@localhost/", "redis://:secret@localhost/"],
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
};

const NO_COUNT = ["0", "-1", "1.5", "1e3", "1000001", "many", " 30", "30 ", "0x10", "∞", "9".repeat(30)];

const BAD: Record<SettingName, readonly string[]> = {
  database: [
    "vitrine.db",
    "sqlite:",
    "sqlite::memory:",
    "mysql://localhost/vitrine",
    "SQLITE:vitrine.db",
    "/tmp/x",
    "postgres:vitrine",
    "postgres://localhost",
    "postgres://localhost/",
    "postgres://localhost/%",
    "postgres://localhost:port/vitrine",
    "postgres://localhost/vitrine?sslmode=perhaps",
    "POSTGRES://localhost/vitrine",
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
    "https://user@ada.example",
    "ftp://ada.example",
    "https://",
    "https://ada.example https://b.example",
    "https://ada.example,nonsense",
  ],
  limitFull: NO_COUNT,
  limitDefault: NO_COUNT,
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
  workers: ["0", "-1", "1.5", "257", "all", "AUTO", " 2"],
  shutdownDelay: ["-1", "0.5", "301", "10s", "soon"],
  metricsPort: ["-1", "65536", "off", "9090/tcp"],
  metricsHost: ["a b", "http://localhost", "[::1]"],
};

describe("without flags and variables", () => {
  test("every setting has the default that the documentation names", () => {
    expect(readSettings(NAMES, {}, {})).toEqual({
      database: { engine: "sqlite", file: "vitrine.db" },
      databasePoolSize: 10,
      port: 3000,
      host: "127.0.0.1",
      logLevel: "info",
      publicUrl: "",
      corsOrigins: [],
      limitFull: 30,
      limitDefault: 60,
      redis: "",
      workers: 1,
      shutdownDelay: 0,
      metricsPort: null,
      metricsHost: "127.0.0.1",
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
      "DATABASE_POOL_SIZE",
      "PORT",
      "HOST",
      "LOG_LEVEL",
      "PUBLIC_URL",
      "CORS_ORIGINS",
      "LIMIT_FULL",
      "LIMIT_DEFAULT",
      "REDIS_URL",
      "WORKERS",
      "SHUTDOWN_DELAY",
      "METRICS_PORT",
      "METRICS_HOST",
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
  ["redis://ada:geheim@redis.example/first", "redis://ada:…@redis.example/first"],
  ["redis://:geheim@redis.example/first", "redis://:…@redis.example/first"],
  ["redis://ada:ge@he:im@redis.example/first", "redis://ada:…@redis.example/first"],
])("a refusal of %j does not repeat its password", (text, shown) => {
  const { message } = refusal(() => read("redis", text));
  expect(message).toStartWith(`REDIS_URL is ${JSON.stringify(shown)}, but`);
});
