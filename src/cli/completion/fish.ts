import { type CommandNode, eachCommand } from "../command-tree.ts";
import { optionsWithValue, takesValue, type Values, valuesOfCommand, valuesOfOption } from "./values.ts";

export function fishCompletion(program: CommandNode): string {
  const nodes = [...eachCommand(program)];
  const [, ...commands] = nodes;
  return `# Completions of vitrine for fish, made by \`vitrine completion fish\`.

function __vitrine_at --description 'Whether this is the command that is being typed'
  set -l commands ${commands.map(({ path }) => quoted(path.join(" "))).join(" ")}
  set -l options ${optionsWithValue(nodes).join(" ")}
  set -l at
  set -l awaiting no
  for word in (commandline -opc)[2..-1]
    if test $awaiting = yes
      set awaiting no
    else if contains -- $word $options
      set awaiting yes
    else if contains -- "$at $word" ' '$commands
      set at "$at $word"
    end
  end
  test "$at" = "$(string join '' ' '$argv)"
end

complete --command vitrine --no-files
${nodes.flatMap(linesOf).join("\n")}
`;
}

function linesOf(node: CommandNode): string[] {
  const here = `complete --command vitrine --condition ${quoted(["__vitrine_at", ...node.path].join(" "))}`;
  return [
    ...node.commands.map(
      ({ path, description }) =>
        `${here} --arguments ${path.at(-1)} --description ${quoted(firstClause(description))}`,
    ),
    ...node.options.map((option) => {
      const short = option.short ? ` --short-option ${option.short.slice(1)}` : "";
      const long = option.long ? ` --long-option ${option.long.slice(2)}` : "";
      const value = takesValue(option) ? valueFor(valuesOfOption(option)) : "";
      return `${here}${short}${long}${value} --description ${quoted(firstClause(option.description))}`;
    }),
    ...linesOfArguments(node, here),
  ];
}

function valueFor(values: Values): string {
  if (values.kind === "words") return ` --exclusive --arguments ${quoted(values.words.join(" "))}`;
  return values.kind === "files" ? " --require-parameter --force-files" : " --exclusive";
}

function linesOfArguments(node: CommandNode, here: string): string[] {
  const values = valuesOfCommand(node);
  if (values.kind === "words") return [`${here} --arguments ${quoted(values.words.join(" "))}`];
  return values.kind === "files" ? [`${here} --force-files`] : [];
}

/** Fish shows what a word means on the same line, for which little is enough. */
function firstClause(text: string): string {
  return text.replace(/(?:; | \(default: |, so that ).*$/, "");
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
