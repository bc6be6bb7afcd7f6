import { isBuilt } from "../serving/own-command.ts";
import { isStartedByNpx } from "../settings.ts";
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
  if (named === undefined || /--(?:help|database)\b/.test(remedy)) return remedy;
  const database = named.startsWith("sqlite:") ? shellWord(named) : "URL";
  return remedy
    .replace(FIRST_COMMAND, (command) => `${command} --database ${database}`)
    .replace(/"\$\{?DATABASE_URL\b[^"]*"/, () => database);
}

/** A remedy with its commands as they are to be typed: by npx where that was the way to this one. */
export function asTyped(remedy: string): string {
  return isStartedByNpx() && !isBuilt() ? remedy.replace(COMMANDS, "npx $&") : remedy;
}

/** Both: a remedy to be typed, for the database that a flag has named. */
export function asTypedOn(remedy: string, named: string | undefined): string {
  return asTyped(onDatabase(remedy, named));
}
