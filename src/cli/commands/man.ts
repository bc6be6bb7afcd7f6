import type { Command } from "commander";
import { commandTree } from "../command-tree.ts";
import { manualPage } from "../man/page.ts";
import { printText } from "../output.ts";

/** Prints the manual page. */
export function printManual(program: Command): void {
  printText(manualPage(commandTree(program)));
}
