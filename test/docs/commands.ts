import type { Command } from "commander";

export interface RunnableCommand {
  /** The words that one types to reach it, such as `key create`. */
  readonly path: string;
  readonly command: Command;
}

/** Every command that does something by itself, in the order of the help. */
export function runnableCommands(parent: Command, path = ""): RunnableCommand[] {
  return parent.commands.flatMap((command) => {
    const below = `${path}${command.name()}`;
    return command.commands.length > 0 ? runnableCommands(command, `${below} `) : [{ path: below, command }];
  });
}
