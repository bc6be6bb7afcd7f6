import { type CommandNode, eachCommand } from "../command-tree.ts";
import { quoted } from "../shell-quotes.ts";
import {
  namesOf,
  optionsWithValue,
  takesValue,
  type Values,
  valuesOfCommand,
  valuesOfOption,
} from "./values.ts";

/** Kept to what the bash 3.2 of macOS understands. */
export function bashCompletion(program: CommandNode): string {
  const nodes = [...eachCommand(program)];
  const [, ...commands] = nodes;
  return `# Completions of vitrine for bash, made by \`vitrine completion bash\`.

_vitrine() {
  local current=\${COMP_WORDS[COMP_CWORD]} at= awaiting= word i
  COMPREPLY=()
  # An equals sign is a word of its own to bash.
  [[ $current == = ]] && current=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
    if [[ -n $awaiting ]]; then
      awaiting=
      continue
    fi
    case "$at $word" in
      ${alternatives(commands.map(placeOf))}) at="$at $word" ;;
      ${alternatives(optionsWithValue(nodes), "*")}) awaiting=$word ;;
    esac
  done

  if [[ -n $awaiting ]]; then
    case "$at $awaiting" in
${nodes.flatMap(casesOfValues).join("\n")}
    esac
    return
  fi
  if [[ $current == -* ]]; then
    case "$at" in
${nodes.map((node) => `      ${quoted(placeOf(node))}) ${suggest(node.options.flatMap(namesOf))} ;;`).join("\n")}
    esac
    return
  fi
  case "$at" in
${nodes.flatMap(casesOfArguments).join("\n")}
  esac
}

_vitrine_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
}

complete -F _vitrine vitrine
`;
}

/** As the script gathers it from what was typed. */
function placeOf({ path }: CommandNode): string {
  return path.map((word) => ` ${word}`).join("");
}

function casesOfValues(node: CommandNode): string[] {
  return node.options.filter(takesValue).flatMap((option) => {
    const action = actionFor(valuesOfOption(option));
    return action ? [`      ${quoted(`${placeOf(node)} ${option.long}`)}) ${action} ;;`] : [];
  });
}

function casesOfArguments(node: CommandNode): string[] {
  const action =
    node.commands.length > 0
      ? suggest(node.commands.map(({ path }) => path.at(-1) ?? ""))
      : actionFor(valuesOfCommand(node));
  return action ? [`    ${quoted(placeOf(node))}) ${action} ;;`] : [];
}

function actionFor(values: Values): string | undefined {
  if (values.kind === "words") return suggest(values.words);
  return values.kind === "files" ? '_vitrine_files "$current"' : undefined;
}

function suggest(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$current"))`;
}

function alternatives(words: readonly string[], before = ""): string {
  return words.map((word) => (before ? `${before}${quoted(` ${word}`)}` : quoted(word))).join(" | ");
}
