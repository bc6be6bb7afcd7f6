import { KEY_PATHS, type KeyPath } from "../contract/access.ts";

/** A list of paths that names one which does not exist, or none at all. */
export class PathsRefused extends Error {
  override readonly name = "PathsRefused";
  /** The first name that is none. Empty where there is no name. */
  readonly path: string;

  constructor(path: string) {
    super(path === "" ? "there is no path in the list" : `there is no path ${JSON.stringify(path)}`);
    this.path = path;
  }
}

/** The paths that a text such as `linktrees,links` names, each once, in the order of the table. */
export function parsePaths(text: string): KeyPath[] {
  const named = text.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !(KEY_PATHS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new PathsRefused(unknown);
  return KEY_PATHS.filter((path) => named.includes(path));
}
