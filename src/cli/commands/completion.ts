import type { Command } from "commander";
import { commandTree } from "../command-tree.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { SHELLS, type Shell } from "../completion/shells.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { Misuse } from "../failure.ts";
import { printText } from "../output.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints what a shell completes the program's command line by. */
export function printCompletion(shell: string, program: Command): void {
  if (!isShell(shell))
    throw new Misuse(`there are completions for ${SHELLS.join(", ")} alone`, "vitrine completion bash");
  printText(SCRIPTS[shell](commandTree(program)));
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}
