import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));

/** What a file says it needs of another, or of a package. */
export interface Import {
  /** The file that imports, by its path within src. */
  readonly from: string;
  /** A path within src, or else what was written: a package, a module of the runtime, a file beside src. */
  readonly to: string;
  /** A type is gone when the program runs; the other two load code. */
  readonly kind: "type" | "static" | "dynamic";
  /** What stands between the braces, without `type` and without new names. Empty for all else. */
  readonly names: readonly string[];
}

const STATIC_IMPORT = /^import\s+(?:(type\s+)?([^"';]+?)\s+from\s+)?"([^"]+)"/gm;
const RE_EXPORT = /^export\s+(type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"([^"]+)"/gm;
const DYNAMIC_IMPORT = /(typeof\s+)?\bimport\(\s*"([^"]+)"/g;

export function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
    .toSorted();
}

/** The part a file belongs to: its folder within src, or its own name at the root. What browsers run is one of its own. */
export function partOf(file: string): string {
  return file.startsWith("studio/app/") ? "studio/app" : (file.split("/")[0] ?? file);
}

/** Every import that stands in a file, read from its text. */
export function importsOf(file: string, source = sourceOf(file)): Import[] {
  const found = (kind: Import["kind"], specifier: string, clause = ""): Import => ({
    from: file,
    to: resolved(file, specifier),
    kind,
    names: namesIn(clause),
  });
  return [
    ...[...source.matchAll(STATIC_IMPORT), ...source.matchAll(RE_EXPORT)].map(
      ([, type, clause, specifier = ""]) => found(type ? "type" : "static", specifier, clause),
    ),
    ...source
      .matchAll(DYNAMIC_IMPORT)
      .map(([, type, specifier = ""]) => found(type ? "type" : "dynamic", specifier)),
  ];
}

/** What a file loads when it runs, as Bun itself sees it: types are gone. */
export function loadedBy(file: string): string[] {
  const loader = file.endsWith(".tsx") ? "tsx" : "ts";
  const imports = new Bun.Transpiler({ loader }).scanImports(sourceOf(file).replace(/^#!.*/, ""));
  // What markup becomes needs a package as well, which the bundler's settings name and no file does.
  const named = imports.filter(({ path }) => !/^react(?:\/|$)/.test(path));
  return named.map(({ path }) => resolved(file, path)).toSorted();
}

interface Reach {
  readonly file: string;
  /** How it is reached: the files on the way, from the first to this one. */
  readonly way: readonly string[];
}

/** Everything that running these files can load, packages included, with the shortest way to each. */
export function reachableFrom(
  files: readonly string[],
  kinds: readonly Import["kind"][] = ["static", "dynamic"],
): Reach[] {
  const reached = new Map<string, readonly string[]>(files.map((file) => [file, [file]]));
  for (const [file, way] of reached) {
    if (!/\.tsx?$/.test(file) || file.startsWith("..")) continue;
    for (const { to, kind } of importsOf(file)) {
      if (kinds.includes(kind) && !reached.has(to)) reached.set(to, [...way, to]);
    }
  }
  return [...reached].map(([file, way]) => ({ file, way }));
}

/**
 * The circles of imports between groups of files, types included, each as the way once round. A group that imports
 * itself is none.
 */
export function circlesOf(imports: readonly Import[], groupOf: (file: string) => string): string[] {
  const needs = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [group, needed] = [groupOf(from), groupOf(to)];
    if (group !== needed) needs.set(group, (needs.get(group) ?? new Set()).add(needed));
  }
  return [...needs.keys()].flatMap((start) => {
    const ways = new Map([[start, [start]]]);
    for (const [group, way] of ways) {
      for (const needed of needs.get(group) ?? []) {
        if (needed === start) return [[...way, start].join(" -> ")];
        if (!ways.has(needed)) ways.set(needed, [...way, needed]);
      }
    }
    return [];
  });
}

function sourceOf(file: string): string {
  return readFileSync(join(SOURCE, file), "utf8");
}

function resolved(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return relative(SOURCE, resolve(SOURCE, dirname(file), specifier));
}

function namesIn(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  return braces
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s+.*$/, ""),
    )
    .filter(Boolean);
}
