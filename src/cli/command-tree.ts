import type { Argument, Command, Option } from "commander";

/** A command as people see it, of which completions and the manual page are made. */
export interface CommandNode {
  /** The words that one types after the program's name, such as `key` and `create`. None for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** Whom it is for; the heading under which the help lists it. */
  readonly group: string;
  readonly options: readonly Option[];
  readonly args: readonly Argument[];
  /** Those below it. `help` is the last of them. */
  readonly commands: readonly CommandNode[];
}

/** What the help of a command shows, with all commands below it. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode {
  const help = command.createHelp();
  const below = command.commands.length > 0 ? help.visibleCommands(command) : [];
  const commands = below.map((child) => commandTree(child, [...path, child.name()]));
  return {
    path,
    description: command.description(),
    group: command.helpGroup(),
    options: help.visibleOptions(command),
    args: command.registeredArguments,
    commands: commands.map((node) => (isHelp(node) ? withTopics(node, commands) : node)),
  };
}

function isHelp({ path }: CommandNode): boolean {
  return path.at(-1) === "help";
}

/** The names of commands may follow `help`, and stand below it as if they were commands without options. */
function withTopics(node: CommandNode, beside: readonly CommandNode[]): CommandNode {
  const topics = beside.filter((it) => !isHelp(it));
  return {
    ...node,
    args: [],
    commands: topics.map(({ path, commands, ...topic }) =>
      withTopics(
        { ...topic, path: [...node.path, path.at(-1) ?? ""], options: [], args: [], commands: [] },
        commands,
      ),
    ),
  };
}

/** A command and all below it, in their order. */
export function* eachCommand(node: CommandNode): Generator<CommandNode> {
  yield node;
  for (const child of node.commands) yield* eachCommand(child);
}
