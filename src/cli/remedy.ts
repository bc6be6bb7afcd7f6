import { isBuilt } from "../serving/own-command.ts";
import { isInEnvironment, isStartedByNpx } from "../settings.ts";
import { shellWord } from "./shell-quotes.ts";

/** The first command that a remedy names, up to the words that follow it. */
const FIRST_COMMAND = /^(?:vitrine|npm start --) .+?(?=[,;] |$)/;

/** Every command that a remedy names: at its beginning, or behind a mark and a word such as "then". */
const COMMANDS = /(?<=^|[,;(] ?(?:\w+ )?)vitrine (?=[a-z])/g;

/**
 * A remedy for the database that a flag has named. Without the flag a command would look for another one, and some
 * would make it. A URL may hold a password, and stays to be filled in.
 */
export function onDatabase(remedy: string, named: string | undefined): string {
  const inShell = withSetVariables(remedy, named);
  if (named === undefined || /--(?:help|database)\b/.test(remedy)) return inShell;
  const database = named.startsWith("sqlite:") ? shellWord(named) : "URL";
  return inShell.replace(FIRST_COMMAND, (command) => `${command} --database ${database}`);
}

/** A remedy without variables that the shell does not have, as where a flag or a file says the URL. */
function withSetVariables(remedy: string, named: string | undefined): string {
  return remedy.replace(/"\$\{?(\w+_URL)\b[^"]*"/, (url, variable: string) => {
    const isByFlag = variable === "DATABASE_URL" && named !== undefined;
    return isByFlag || !isInEnvironment(variable) ? "URL" : url;
  });
}

/** A remedy with its commands as they are to be typed: by npx where that was the way to this one. */
export function asTyped(remedy: string): string {
  return isStartedByNpx() && !isBuilt() ? remedy.replace(COMMANDS, "npx $&") : remedy;
}

/** Both: a remedy to be typed, for the database that a flag has named. */
export function asTypedOn(remedy: string, named: string | undefined): string {
  return asTyped(onDatabase(remedy, named));
}
