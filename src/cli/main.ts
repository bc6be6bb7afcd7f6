#!/usr/bin/env bun
import { CommanderError } from "commander";
import { EXIT_CODES } from "./exit-codes.ts";
import { Busy, type Failure, Found, Misuse } from "./failure.ts";
import { printError } from "./output.ts";
import { fullName, makeProgram } from "./program.ts";
import { asTyped, nameDatabase } from "./remedy.ts";

// What Vitrine writes is private: the database, its backups, what an import puts aside.
process.umask(0o077);

let commandName = "vitrine";
const program = makeProgram().hook("preAction", (_, command) => {
  commandName = fullName(command);
  nameDatabase(command.opts<{ database?: string }>().database);
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}

async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.misused.code;
  const { explain } = await import("./explain.ts");
  const failure = explain(error, commandName);
  printError(failure instanceof Found ? failure.message : `Error: ${failure.message}`);
  if (failure.remedy) printError(`Try: ${asTyped(failure.remedy)}`);
  return exitCodeOf(failure);
}

function exitCodeOf(failure: Failure): number {
  if (failure instanceof Misuse) return EXIT_CODES.misused.code;
  if (failure instanceof Busy) return EXIT_CODES.busy.code;
  return failure instanceof Found ? EXIT_CODES.found.code : EXIT_CODES.failed.code;
}
