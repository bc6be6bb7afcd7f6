import { describe, expect, test } from "bun:test";
import { type Import, importsOf, loadedBy, reachableFrom, sourceFiles } from "../support/imports.ts";

/**
 * Which parts each part may use, as the table of the design says it. `store/` reads the contract's list of
 * documents as well: it has a table for each.
 */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  records: ["contract"],
  keys: [],
  html: [],
  documents: ["contract", "records", "html"],
  store: ["contract", "records", "documents"],
  limits: [],
  tracking: ["store"],
  http: ["contract", "keys", "html", "store", "limits", "tracking"],
  metrics: ["contract", "store", "limits", "tracking", "http"],
  cli: ["contract", "records", "keys", "html", "documents", "store", "limits", "tracking", "http", "metrics"],
};

/** What every part may use: it knows nothing of what the service does. */
const COMMON = ["settings.ts", "maybe-promise.ts", "pauses.ts", "logging"];

/** The packages a part may use. Modules of the runtime (`bun`, `bun:`, `node:`) are free to all. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: ["zod"],
  records: ["zod"],
  tracking: ["isbot"],
  metrics: ["prom-client"],
  cli: ["commander", "qrcode", "yaml"],
};

/** The read side of a store: all of `store/` that the server may even name. */
const READ_SIDE = ["store/reader.ts"];

/** What a server that cannot write and cannot issue keys must not be able to load. */
const WRITE_SIDE: readonly [what: string, matches: (file: string) => boolean][] = [
  ["the write model", (file) => file.startsWith("records/")],
  ["what compiles records", (file) => file.startsWith("documents/")],
  ["the store that saves", (file) => /^store\/(?:store|contents|plan|open)\.ts$/.test(file)],
  [
    "an engine's store that saves",
    (file) => /^store\/\w+\/(?:store|contents|statements|lookup|packed-rows|tracking-writer)\.ts$/.test(file),
  ],
  ["the command line, which mints keys", (file) => file.startsWith("cli/")],
  ["the schema library", (file) => file === "zod" || file.startsWith("zod/")],
];

const files = sourceFiles();
const imports = files.flatMap((file) => importsOf(file));

/** The part a file belongs to: its folder within src, or its own name at the root. */
function partOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function isWithinSource({ to }: Import): boolean {
  return to.endsWith(".ts") && !to.startsWith("..");
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
        !/\.(?:ts|json|yaml|gz)$/.test(to) &&
        !/^(?:bun$|bun:|node:)/.test(to) &&
        !PACKAGES[part]?.includes(to),
    );
    expect(strays.map(sentence)).toEqual([]);
  });
});

describe("what is common to all", () => {
  test("uses nothing of the parts but the address of a database", () => {
    const strays = imports
      .filter(({ from }) => COMMON.includes(partOf(from)))
      .filter(isWithinSource)
      .filter(({ to }) => !COMMON.includes(partOf(to)) && to !== "store/database-url.ts");
    expect(strays.map(sentence)).toEqual([]);
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
      .filter(
        ({ names }) =>
          names.length === 0 || names.some((name) => !["hashKey", "isWellFormedKey"].includes(name)),
      );
    expect(strays.map(sentence)).toEqual([]);
  });

  test.each(WRITE_SIDE)("can load nothing of %s, by whatever way", (_, matches) => {
    const reached = reachableFrom(http).filter(({ file }) => matches(file));
    expect(reached.map(({ way }) => way.join(" -> "))).toEqual([]);
  });
});

test("only src/cli mints keys", () => {
  const minting = imports.filter(({ from, names }) => names.includes("mintKey") && partOf(from) !== "cli");
  expect(minting.map(sentence)).toEqual([]);
});

test("nothing but src/store knows an engine of it", () => {
  const strays = imports.filter(({ from, to }) => partOf(from) !== "store" && /^store\/\w+\//.test(to));
  expect(strays.map(sentence)).toEqual([]);
});

test("only src/settings.ts reads the environment", async () => {
  const reading: string[] = [];
  for (const file of files) {
    const source = await Bun.file(new URL(`../../src/${file}`, import.meta.url)).text();
    if (file !== "settings.ts" && /\b(?:process|Bun)\.env\b|\bimport\.meta\.env\b/.test(source))
      reading.push(file);
  }
  expect(reading).toEqual([]);
});
