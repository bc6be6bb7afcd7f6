#!/usr/bin/env bun
import { CommanderError } from "commander";
import { SettingError } from "../settings.ts";
import { StoreUnavailable } from "../store/reader.ts";
import { Failure, Misuse } from "./failure.ts";
import { printError } from "./output.ts";
import { fullName, makeProgram } from "./program.ts";

/** 0: done. 1: it could not be done. 2: it was not asked for in a way that could be understood. */
const FAILED = 1;
const MISUSED = 2;

// What Vitrine writes is private: the database, its backups, what an import puts aside.
process.umask(0o077);

let commandName = "vitrine";
const program = makeProgram().hook("preAction", (_, command) => {
  commandName = fullName(command);
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
  if (error instanceof SettingError) return say(error.message, `${commandName} --help`, MISUSED);
  if (error instanceof Failure)
    return say(error.message, error.remedy, error instanceof Misuse ? MISUSED : FAILED);
  if (error instanceof StoreUnavailable) return say(error.message, "vitrine doctor", FAILED);
  return say((error as Error)?.message ?? String(error), "vitrine doctor", FAILED);
}

function say(message: string, remedy: string | undefined, exitCode: number): number {
  printError(`Error: ${message}`);
  if (remedy) printError(`Try: ${remedy}`);
  return exitCode;
}
