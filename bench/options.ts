import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** What a flag is when nobody gives it, which says as well whether it is a number, and what it is for. */
type Choices = Readonly<Record<string, readonly [fallback: number | string, words: string]>>;

type Chosen<Given extends Choices> = {
  readonly [Name in keyof Given]: Given[Name][0] extends number ? number : string;
} & { readonly cache: string };

export const CACHE = join(tmpdir(), "vitrine-bench");
const CACHE_CHOICE = [CACHE, "the folder where data is kept between runs"] as const;

/** The flags of a measurement that is a program of its own. Its help, or what is wrong with a flag, ends the program. */
export function readOptions<Given extends Choices>(
  command: string,
  about: string,
  given: Given,
): Chosen<Given> {
  const choices: Choices = { ...given, cache: CACHE_CHOICE };
  const names = Object.keys(choices);
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  try {
    const { values }: { values: Record<string, string | boolean | undefined> } = parseArgs({
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      process.stdout.write(helpOf(command, about, choices));
      process.exit(0);
    }
    const chosen = Object.entries(choices).map(([name, [fallback]]) => {
      const text = values[name];
      if (typeof text !== "string") return [name, fallback];
      return [name, typeof fallback === "number" ? count(name, text) : text];
    });
    return Object.fromEntries(chosen);
  } catch (error) {
    process.stderr.write(`Error: ${(error as Error).message}\nTry: ${command} -- --help\n`);
    process.exit(2);
  }
}

/** What somebody asked for in a way that cannot be. */
export class Misuse extends Error {}

export function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Misuse(`--${name} is a whole number from 1, not ${text}`);
  return value;
}

function helpOf(command: string, about: string, choices: Choices): string {
  const lines = Object.entries(choices).map(([name, [fallback, words]]) => {
    const value = typeof fallback === "number" ? "<count>" : name === "cache" ? "<folder>" : "<text>";
    return `  ${`--${name} ${value}`.padEnd(22)}${words} (default: ${fallback})\n`;
  });
  return `Usage: ${command} -- [options]\n\n${about}\n\nOptions:\n${lines.join("")}  ${"-h, --help".padEnd(22)}show help\n`;
}
