import type { Command } from "commander";

interface RunnableCommand {
  /** The words that one types to reach it, such as `key create`. */
  readonly path: string;
  readonly command: Command;
}

/** Every command that does something by itself and that the help shows, in its order. */
export function runnableCommands(parent: Command, path = ""): RunnableCommand[] {
  const shown = parent.createHelp().visibleCommands(parent);
  return parent.commands
    .filter((command) => shown.includes(command))
    .flatMap((command) => {
      const below = `${path}${command.name()}`;
      return command.commands.length > 0
        ? runnableCommands(command, `${below} `)
        : [{ path: below, command }];
    });
}
