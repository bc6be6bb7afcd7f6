import { describe, expect, test } from "bun:test";
import {
  circlesOf,
  type Import,
  importsOf,
  loadedBy,
  partOf,
  reachableFrom,
  sourceFiles,
} from "../support/imports.ts";

/**
 * Which parts each part may use, as the table of the design says it. `store/` reads the contract's list of
 * documents as well: it has a table for each.
 */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  records: ["contract"],
  keys: ["contract", "records"],
  html: [],
  packing: [],
  previews: ["html"],
  documents: ["contract", "records", "html", "packing"],
  store: ["contract", "records", "packing", "documents"],
  agents: ["contract"],
  limits: [],
  tracking: ["records", "store"],
  exchange: ["contract", "records", "documents", "store"],
  hooks: ["keys", "store"],
  http: ["contract", "keys", "html", "packing", "store", "agents", "limits", "tracking"],
  metrics: ["contract", "store", "limits", "tracking", "http"],
  studio: [
    "contract",
    "records",
    "keys",
    "html",
    "documents",
    "store",
    "limits",
    "tracking",
    "exchange",
    "hooks",
  ],
  "studio/app": ["records", "studio"],
  serving: ["contract", "html", "previews", "store", "limits", "tracking", "hooks", "http", "metrics"],
  cli: [
    "contract",
    "records",
    "keys",
    "html",
    "packing",
    "previews",
    "documents",
    "store",
    "agents",
    "limits",
    "tracking",
    "exchange",
    "hooks",
    "http",
    "metrics",
    "studio",
    "serving",
  ],
};

/** What every part may use: it knows nothing of what the service does. */
const COMMON = ["settings.ts", "version.ts", "threads.ts", "addresses.ts", "marks.ts", "async", "logging"];

/** The packages a part may use. Modules of the runtime (`bun`, `bun:`, `node:`) are free to all. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: ["zod"],
  records: ["zod"],
  agents: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio", "zod"],
  previews: ["@resvg/resvg-wasm"],
  http: ["qrcode"],
  tracking: ["isbot"],
  exchange: ["@jsonresume/schema", "csv-parse/sync", "fflate", "qrcode", "yaml"],
  studio: ["@simplewebauthn/server", "openid-client", "reflect-metadata", "zod"],
  "studio/app": ["@simplewebauthn/browser", "preact", "preact/hooks"],
  cli: ["commander", "qrcode", "yaml"],
};

/** The read side of a store: all of `store/` that the server may even name. */
const READ_SIDE = ["store/reader.ts", "store/unavailable.ts"];

/**
 * All that the server loads when it starts, by any way: nothing here saves a record. Of the packages there is none,
 * the schema library least of all, and of the runtime's modules one.
 */
const HTTP_MAY_LOAD = [
  /^(?:http|contract|html|packing|limits|tracking|async|logging)\//,
  /^(?:addresses|marks)\.ts$/,
  /^store\/(?:reader|unavailable)\.ts$/,
  // One file both checks keys and mints them: what of it may be named, a test of its own says.
  /^keys\/(?:key|base62|lifetime)\.ts$/,
  /^\.\.\/vendor\/(?:scalar|fonts)\//,
  /^node:util$/,
];

/** What it can load later: all that an agent's first question takes, and what draws codes to scan. */
const HTTP_MAY_LOAD_LATER = [
  /^agents\//,
  /^zod$/,
  /^@modelcontextprotocol\/server$/,
  /^\.\.\/package\.json$/,
  /^qrcode$/,
];

const files = sourceFiles();
const imports = files.flatMap((file) => importsOf(file));

function isWithinSource({ to }: Import): boolean {
  return /\.tsx?$/.test(to) && !to.startsWith("..");
}

function sentence({ from, to, kind, names }: Import): string {
  const what = names.length > 0 ? ` (${names.join(", ")})` : "";
  return `src/${from} imports ${to}${what}, ${kind === "type" ? "as a type" : `at run time (${kind})`}`;
}

describe("the reader of imports", () => {
  test("tells types, static and dynamic imports apart", () => {
    const source = [
      'import { z } from "zod";',
      'import type { A } from "./a.ts";',
      'import { type B, c as d } from "../keys/b.ts";',
      'import "./effect.ts";',
      'import data from "../../package.json" with { type: "json" };',
      'export { e } from "./e.ts";',
      'export type { F } from "./f.ts";',
      'export * from "./g.ts";',
      "import {",
      "  h,",
      '} from "./h.ts";',
      'const i = await import("./i.ts");',
      'type J = typeof import("./j.ts");',
      'const text = "import nothing from here";',
    ].join("\n");
    const seen = importsOf("http/x.ts", source).map(({ to, kind, names }) => [to, kind, names.join()]);
    expect(seen.toSorted()).toEqual([
      ["../package.json", "static", ""],
      ["http/a.ts", "type", "A"],
      ["http/e.ts", "static", "e"],
      ["http/effect.ts", "static", ""],
      ["http/f.ts", "type", "F"],
      ["http/g.ts", "static", ""],
      ["http/h.ts", "static", "h"],
      ["http/i.ts", "dynamic", ""],
      ["http/j.ts", "type", ""],
      ["keys/b.ts", "static", "B,c"],
      ["zod", "static", "z"],
    ]);
  });

  test.each(files)("sees in src/%s what Bun loads, no more and no less", (file) => {
    const read = importsOf(file)
      .filter(({ kind }) => kind !== "type")
      .map(({ to }) => to);
    expect([...new Set(read)].toSorted()).toEqual([...new Set(loadedBy(file))].toSorted());
  });
});

describe("each file of src", () => {
  test("belongs to a part of the design", () => {
    const known = [...Object.keys(MAY_USE), ...COMMON];
    expect(files.filter((file) => !known.includes(partOf(file)))).toEqual([]);
  });

  test("imports files of src that are there", () => {
    const missing = imports.filter(isWithinSource).filter(({ to }) => !files.includes(to));
    expect(missing.map(sentence)).toEqual([]);
  });
});

describe.each(Object.entries(MAY_USE))("src/%s", (part, allowed) => {
  const own = imports.filter(({ from }) => partOf(from) === part);

  test(`uses no other part than ${[...allowed, "what is common to all"].join(", ")}`, () => {
    const permitted = [part, ...allowed, ...COMMON];
    const strays = own.filter(isWithinSource).filter(({ to }) => !permitted.includes(partOf(to)));
    expect(strays.map(sentence)).toEqual([]);
  });

  test(`uses no other package than ${PACKAGES[part]?.join(", ") ?? "those of the runtime"}`, () => {
    const strays = own.filter(
      ({ to }) =>
        !/\.(?:tsx?|css|json|yaml|gz|html|jpg|woff2|ttf|wasm)$/.test(to) &&
        !/^(?:bun$|bun:|node:)/.test(to) &&
        !PACKAGES[part]?.includes(to),
    );
    expect(strays.map(sentence)).toEqual([]);
  });
});

describe("no circle of imports", () => {
  const within = imports.filter(isWithinSource);

  test("is overlooked", () => {
    const source = 'import type { Log } from "../logging/log.ts";';
    const circle = [
      ...importsOf("store/x.ts", source),
      ...importsOf("logging/log.ts", 'import { a } from "../settings.ts";'),
      ...importsOf("settings.ts", 'import { b } from "./store/y.ts";'),
    ];
    expect(circlesOf(circle, partOf)).toContain("store -> logging -> settings.ts -> store");
    expect(circlesOf(importsOf("store/x.ts", source), partOf)).toEqual([]);
  });

  test("leads from one part to another and back, by way of what is common neither", () => {
    expect(circlesOf(within, partOf)).toEqual([]);
  });

  test("leads from one file or folder of a part to another and back", () => {
    const placeOf = (file: string) => file.split("/").slice(0, 2).join("/");
    expect(circlesOf(within, placeOf)).toEqual([]);
  });
});

describe("what is common to all", () => {
  test("uses nothing of the parts but how addresses of databases are written", () => {
    const strays = imports
      .filter(({ from }) => COMMON.includes(partOf(from)))
      .filter(isWithinSource)
      .filter(({ to }) => !COMMON.includes(partOf(to)) && to !== "store/location.ts");
    expect(strays.map(sentence)).toEqual([]);
  });
});

/** What of src/keys the server needs. */
const CHECKING = ["hashKey", "isWellFormedKey", "keyStatus", "timestampOf", "viewOf"];

test("what draws is loaded by the process that draws, and by no server", () => {
  const servers = [
    "cli/main.ts",
    "cli/commands/serve.ts",
    "cli/commands/serve-worker.ts",
    "cli/commands/demo.ts",
  ];
  const loaded = reachableFrom(servers, ["static"]).map(({ file }) => file);
  expect(loaded.filter((file) => /resvg|^previews\/(?!messages\.ts$)/.test(file))).toEqual([]);
});

describe("what draws", () => {
  test("can load neither a store nor what speaks to a network", () => {
    const loaded = reachableFrom(["previews/process.ts"]).map(({ file }) => file);
    expect(loaded).toContain("previews/draw.ts");
    expect(
      loaded.filter(
        (file) => !/^(?:previews|html|async)\/|^\.\.\/vendor\/fonts\/|resvg|^node:os$/.test(file),
      ),
    ).toEqual([]);
  });
});

describe("src/http", () => {
  const http = files.filter((file) => partOf(file) === "http");

  test("names nothing of src/store but its read side, not even as a type", () => {
    const strays = imports
      .filter(({ from, to }) => partOf(from) === "http" && partOf(to) === "store")
      .filter(({ to }) => !READ_SIDE.includes(to));
    expect(strays.map(sentence)).toEqual([]);
  });

  test("takes of src/keys what checks a key, and not what mints one", () => {
    const strays = imports
      .filter(({ from, to }) => partOf(from) === "http" && partOf(to) === "keys")
      .filter(({ names }) => names.length === 0 || names.some((name) => !CHECKING.includes(name)));
    expect(strays.map(sentence)).toEqual([]);
  });

  test("loads what the list above allows, and nothing else, not even by way of others", () => {
    const strays = reachableFrom(http, ["static"]).filter(
      ({ file }) => !HTTP_MAY_LOAD.some((allowed) => allowed.test(file)),
    );
    expect(strays.map(({ way }) => way.join(" -> "))).toEqual([]);
  });

  test("can load later what agents and codes to scan take, and nothing else", () => {
    const strays = reachableFrom(http).filter(
      ({ file }) => ![...HTTP_MAY_LOAD, ...HTTP_MAY_LOAD_LATER].some((allowed) => allowed.test(file)),
    );
    expect(strays.map(({ way }) => way.join(" -> "))).toEqual([]);
  });

  test("is started by `serve` without what agents take", () => {
    const loaded = reachableFrom(["cli/main.ts", "cli/commands/serve.ts"], ["static"]).map(
      ({ file }) => file,
    );
    expect(loaded).toContain("http/mcp/handler.ts");
    expect(loaded.filter((file) => /^agents\/|modelcontextprotocol/.test(file))).toEqual([]);
  });

  test.each([
    "store/store.ts",
    "store/sqlite/reader.ts",
    "records/schema.ts",
    "documents/compile.ts",
    "exchange/source.ts",
    "serving/instance.ts",
    "cli/main.ts",
    "settings.ts",
    "zod",
    "bun:sqlite",
    "node:fs",
  ])("is not allowed to load %s", (file) => {
    expect(HTTP_MAY_LOAD.some((allowed) => allowed.test(file))).toBe(false);
  });
});

test("a command loads the schema library, which takes long, only where it checks records or speaks to agents", () => {
  const needing = ["bring", "demo", "history", "import", "mcp", "studio"].map(
    (name) => `cli/commands/${name}.ts`,
  );
  const commands = files.filter((file) => file.startsWith("cli/commands/") && !needing.includes(file));
  const loading = reachableFrom(["cli/main.ts", "cli/explain.ts", ...commands], ["static"]);
  expect(loading.filter(({ file }) => file === "zod").map(({ way }) => way.join(" -> "))).toEqual([]);
});

test("src/studio/app loads nothing of src but itself, what it says to its server, and rules for texts and days", () => {
  const app = files.filter((file) => partOf(file) === "studio/app");
  const allowed =
    /^(?:studio\/app\/|studio\/contract\.ts$|records\/(?:days|letters|telephone)\.ts$|preact\/)/;
  const strays = reachableFrom(app).filter(({ file }) => /^[a-z]+\//.test(file) && !allowed.test(file));
  expect(strays.map(({ way }) => way.join(" -> "))).toEqual([]);
});

test("only src/cli and src/studio mint keys", () => {
  const minting = imports.filter(
    ({ from, names }) => names.includes("mintKey") && !["cli", "studio"].includes(partOf(from)),
  );
  expect(minting.map(sentence)).toEqual([]);
});

test("nothing but src/store knows an engine of it", () => {
  const strays = imports.filter(
    ({ from, to }) => partOf(from) !== "store" && /^store\/(?:sqlite|postgres)\//.test(to),
  );
  expect(strays.map(sentence)).toEqual([]);
});

/** The files of src whose text has something. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const sources = await Promise.all(
    files.map((file) => Bun.file(new URL(`../../src/${file}`, import.meta.url)).text()),
  );
  return files.filter((_, index) => pattern.test(sources[index] ?? ""));
}

test("nothing but src/store asks which engine a database is of", async () => {
  const asking = await filesWith(/\bengine\s*[!=]==\s*"(?:sqlite|postgres)"/);
  expect(asking.filter((file) => partOf(file) !== "store")).toEqual([]);
});

test("only src/settings.ts reads the environment", async () => {
  const reading = await filesWith(/\b(?:process|Bun)\.env\b|\bimport\.meta\.env\b/);
  expect(reading).toEqual(["settings.ts"]);
});
