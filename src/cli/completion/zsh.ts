import type { Argument, Option } from "commander";
import { type CommandNode, eachCommand } from "../command-tree.ts";
import { quoted } from "../shell-quotes.ts";
import { namesOf, takesValue, type Values, valuesOfArgument, valuesOfOption } from "./values.ts";

export function zshCompletion(program: CommandNode): string {
  return `#compdef vitrine
# Completions of vitrine for zsh, made by \`vitrine completion zsh\`.

${[...eachCommand(program)].map(functionOf).join("\n\n")}

# In a folder of fpath this file is the function; where it is sourced, it has to be named.
if [[ $funcstack[1] == _vitrine ]]; then
  _vitrine "$@"
else
  compdef _vitrine vitrine
fi
`;
}

function nameOf({ path }: CommandNode): string {
  return ["_vitrine", ...path].join("_").replaceAll("-", "_");
}

function functionOf(node: CommandNode): string {
  return `${nameOf(node)}() {\n${node.commands.length > 0 ? bodyOfGroup(node) : bodyOfLeaf(node)}\n}`;
}

function bodyOfLeaf({ options, args }: CommandNode): string {
  return `  _arguments -S ${continued([...options.map(specOfOption), ...args.map(specOfArgument)], "    ")}`;
}

function bodyOfGroup({ options, commands }: CommandNode): string {
  const last = ({ path }: CommandNode) => path.at(-1) ?? "";
  const described = commands.map((child) => `      ${quoted(`${last(child)}:${child.description}`)}`);
  return `  local curcontext=$curcontext state line
  local -a commands
  _arguments -C ${continued([...options.map(specOfOption), "'1: :->command'", "'*:: :->rest'"], "    ")}
  case $state in
  command)
    commands=(
${described.join("\n")}
    )
    _describe -t commands command commands
    ;;
  rest)
    case $words[1] in
${commands.map((child) => `    ${last(child)}) ${nameOf(child)} ;;`).join("\n")}
    esac
    ;;
  esac`;
}

function continued(words: readonly string[], indent: string): string {
  return words.map((word) => `\\\n${indent}${word}`).join(" ");
}

function specOfOption(option: Option): string {
  const names = namesOf(option);
  const what = `[${escaped(option.description)}]`;
  if (names.length > 1) return `'(${names.join(" ")})'{${names.join(",")}}${quoted(what)}`;
  const again = option.parseArg ? "*" : "";
  if (!takesValue(option)) return quoted(`${again}${option.long}${what}`);
  const value = escaped(option.flags.replace(/^.*<(.+)>$/, "$1"));
  return quoted(`${again}${option.long}${what}:${value}:${actionFor(valuesOfOption(option))}`);
}

function specOfArgument(argument: Argument): string {
  const place = argument.variadic ? "*" : "";
  return quoted(`${place}:${escaped(argument.name())}:${actionFor(valuesOfArgument(argument))}`);
}

function actionFor(values: Values): string {
  if (values.kind === "words") return `(${values.words.join(" ")})`;
  return values.kind === "files" ? "_files" : " ";
}

/** For a text within the specification of an option. */
function escaped(text: string): string {
  return text.replace(/[\\:[\]]/g, "\\$&");
}
