/** Collects the licences of all code and fonts of others that are shipped: `npm run licences`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import lock from "../package-lock.json" with { type: "json" };
import { type Lock, shippedPaths } from "./release/sbom.ts";

const REPOSITORY = join(import.meta.dir, "..");

export const LICENCES_FILE = join(REPOSITORY, "THIRD-PARTY-LICENSES");

const VENDORED = {
  "vendor/scalar/LICENSE": "@scalar/api-reference",
  "vendor/fonts/LICENSE-instrument-sans": "Instrument Sans",
  "vendor/fonts/LICENSE-jetbrains-mono": "JetBrains Mono",
  "vendor/fonts/LICENSE-newsreader": "Newsreader",
};

interface Package {
  readonly name: string;
  readonly license: string;
  readonly repository: string;
}

/** The file of the licences, as it should be: each text once, below the names of all who have it. */
export function licencesText(): string {
  const namesByText = new Map<string, string[]>();
  const add = (text: string, name: string) => namesByText.set(text, [...(namesByText.get(text) ?? []), name]);
  for (const path of shippedPaths(lock as Lock)) {
    const { name, license, repository } = JSON.parse(read(`${path}/package.json`)) as Package;
    const file = readdirSync(join(REPOSITORY, path)).find((it) => /^licen[cs]e/i.test(it));
    add(
      file ? read(`${path}/${file}`) : `${license}, as it stands with the source: ${linkTo(repository)}`,
      name,
    );
  }
  for (const [path, name] of Object.entries(VENDORED)) add(read(path), name);
  const parts = [...namesByText].map(([text, names]) => `${[...new Set(names)].join(", ")}\n\n${text}\n`);
  return `Vitrine is made with the work of others, under these licences.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

function linkTo(repository: string): string {
  return repository.replace(/^git@([^:]+):/, "https://$1/");
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8").replaceAll("\r\n", "\n").trim();
}

if (import.meta.main) await Bun.write(LICENCES_FILE, licencesText());
