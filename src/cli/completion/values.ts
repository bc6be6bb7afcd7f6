import type { Argument, Option } from "commander";
import { KEY_PATHS, VIEWS } from "../../contract/access.ts";
import { LOG_LEVELS } from "../../logging/level.ts";
import type { CommandNode } from "../command-tree.ts";
import { SHELLS } from "./shells.ts";

/** What may stand at a place of the command line. Addresses and ids are nobody's business but their owners'. */
export type Values =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "anything" };

/** Options whose value is one of a few words. Written out here, since their own lists take long to load. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  "--from <format>": ["jsonresume", "linkedin", "linkstack", "linktree", "full"],
  "--to <format>": ["record", "yaml", "jsonresume", "vcard", "jsonld", "markdown"],
  "--view <view>": VIEWS,
  "--only <paths>": KEY_PATHS,
  "--events <names>": ["record.changed", "key.expiring"],
  "--log-level <level>": LOG_LEVELS,
};

export function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

export function valuesOfOption({ flags }: Option): Values {
  const words = WORDS[flags];
  if (words) return { kind: "words", words };
  return { kind: flags.endsWith(" <file>") ? "files" : "anything" };
}

export function valuesOfArgument(argument: Argument): Values {
  if (argument.name() === "shell") return { kind: "words", words: SHELLS };
  return { kind: /^files?$/.test(argument.name()) ? "files" : "anything" };
}

/** Whether the first thing to type is a file, or one of a few words. */
export function valuesOfCommand({ args: [first] }: CommandNode): Values {
  return first ? valuesOfArgument(first) : { kind: "anything" };
}

/** The names of all options of any command that are followed by a value. */
export function optionsWithValue(nodes: Iterable<CommandNode>): string[] {
  const names = new Set<string>();
  for (const { options } of nodes)
    for (const option of options) if (takesValue(option) && option.long) names.add(option.long);
  return [...names];
}

export function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name != null);
}
