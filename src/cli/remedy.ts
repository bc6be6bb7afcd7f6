import { isBuilt } from "../serving/own-command.ts";
import { isInEnvironment, isStartedByNpx } from "../settings.ts";
import { shellWord } from "./shell-quotes.ts";

/** The first command that a remedy names, up to the words that follow it. */
const FIRST_COMMAND = /^(?:vitrine|npm start --) .+?(?=[,;] |$)/;

/** Every command that a remedy names: at its beginning, or behind a mark and a word such as "then". */
const COMMANDS = /(?<=^|[,;(] ?(?:\w+ )?)vitrine (?=[a-z])/g;

/** The database that a flag of this process has named, as it was typed. */
let named: string | undefined;

export function nameDatabase(flag: string | undefined): void {
  named = flag;
}

/**
 * A remedy for the database that a flag has named. Without the flag a command would look for another one, and some
 * would make it. A URL may hold a password, and stays to be filled in.
 */
export function onDatabase(remedy: string): string {
  const inShell = withSetVariables(remedy);
  if (named === undefined || /--(?:help|database)\b/.test(remedy)) return inShell;
  const database = named.startsWith("sqlite:") ? shellWord(named) : "URL";
  return inShell.replace(FIRST_COMMAND, (command) => `${command} --database ${database}`);
}

/** A remedy without variables that the shell does not have, as where a flag or a file says the URL. */
function withSetVariables(remedy: string): string {
  return remedy.replace(/"\$\{?(\w+_URL)\b[^"]*"/, (url, variable: string) => {
    const isByFlag = variable === "DATABASE_URL" && named !== undefined;
    return isByFlag || !isInEnvironment(variable) ? "URL" : url;
  });
}

/** The same, with its commands as they are to be typed: by npx where that was the way to this one. */
export function asTyped(remedy: string): string {
  const here = onDatabase(remedy);
  return isStartedByNpx() && !isBuilt() ? here.replace(COMMANDS, "npx $&") : here;
}
