import { KEY_PATHS, type KeyPath } from "../contract/access.ts";

/** The paths that a text such as `linktrees,links` names, each once, in the order of the table, if all that it names are. */
export function parsePaths(text: string): KeyPath[] | undefined {
  const named = text.split(",").map((name) => name.trim());
  const areKnown = named.every((name) => (KEY_PATHS as readonly string[]).includes(name));
  return areKnown ? KEY_PATHS.filter((path) => named.includes(path)) : undefined;
}
