import type { Argument, Option } from "commander";
import { SETTINGS } from "../../settings.ts";
import { VERSION } from "../../version.ts";
import { type CommandNode, eachCommand } from "../command-tree.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { bold, italic, item, roff, section, typed } from "./roff.ts";

/** The manual page, in the macros that every `man` knows. It has no date, so that the same version is the same page. */
export function manualPage(program: CommandNode): string {
  const commands = [...eachCommand(program)].filter(({ commands: below }) => below.length === 0);
  return [
    `.TH VITRINE 1 "" ${JSON.stringify(`vitrine ${VERSION}`)} "User Commands"`,
    ...section("Name", roff("vitrine - your own profile and link trees back as data")),
    ...section(
      "Synopsis",
      `${bold("vitrine")} ${italic("command")} [${italic("options")}] [${italic("arguments")}]`,
    ),
    ...section("Description", roff(program.description)),
    ".PP",
    roff(
      "Every option of a command may also be written as --option=value. A command with --help prints its own.",
    ),
    ...section("Commands", ...commands.filter(isOfVitrine).flatMap(describe)),
    ...section(
      "Environment",
      "A flag wins over its variable, and the variable over the default.",
      ...Object.values(SETTINGS).flatMap(({ variable, flag, description, fallback }) =>
        item(bold(variable), roff(`${description} (${flag}${fallback ? `, else ${fallback}` : ""})`)),
      ),
      ...item(
        bold("VITRINE_URL"),
        roff("the server elsewhere that mcp reads from, without an e-mail address"),
      ),
      ...item(bold("VITRINE_KEY"), roff("a key for that server")),
      ".PP",
      roff(
        "A variable that may hold a secret may have _FILE behind its name. It then names a file with the value.",
      ),
    ),
    ...section(
      "Exit status",
      ...Object.values(EXIT_CODES).flatMap(({ code, meaning }) => item(bold(String(code)), roff(meaning))),
    ),
    ...section("Examples", ...typed(EXAMPLES)),
    "",
  ].join("\n");
}

const EXAMPLES = [
  "vitrine demo",
  "vitrine import ada.yaml",
  "vitrine key create ada@example.com",
  "vitrine serve --database sqlite:/var/lib/vitrine/vitrine.db",
];

function isOfVitrine({ path }: CommandNode): boolean {
  return !path.includes("help");
}

function describe({ path, description, options, args }: CommandNode): string[] {
  const own = options.filter(({ long }) => long !== "--help");
  const words = [bold(["vitrine", ...path].join(" ")), ...args.map(placeholder)];
  return [`.SS ${quotedTitle(words)}`, roff(`${capitalised(description)}.`), ...own.flatMap(describeOption)];
}

function describeOption(option: Option): string[] {
  const value = /<.+>$/.exec(option.flags)?.[0];
  const name = bold(option.long ?? "");
  return item(
    value ? `${name} ${italic(value.slice(1, -1))}` : name,
    roff(
      option.description +
        (typeof option.defaultValue === "string" ? ` (default: ${option.defaultValue})` : ""),
    ),
  );
}

function placeholder(argument: Argument): string {
  const name = italic(argument.name() + (argument.variadic ? "..." : ""));
  return argument.required ? name : `[${name}]`;
}

function quotedTitle(words: readonly string[]): string {
  return `"${words.join(" ")}"`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
