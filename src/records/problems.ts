import type { z } from "zod";
import { adviceOn, adviceOnField } from "./advice.ts";

/** Something wrong with a record, and where: `linkTrees[0].links[2].url`. An empty place is the record itself. */
export interface Problem {
  readonly place: string;
  readonly message: string;
  /** What to do about it, where that is more than the message says. */
  readonly advice?: string;
  /** Whether it is that somebody else has the value. The message names them, which is not for everybody to know. */
  readonly isTaken?: true;
}

export function formatPlace(path: readonly PropertyKey[]): string {
  let place = "";
  for (const part of path) {
    if (typeof part === "number") place += `[${part}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(part))) place += place ? `.${String(part)}` : String(part);
    else place += `[${JSON.stringify(part)}]`;
  }
  return place;
}

/** The steps to a place, as they were before it was written out. */
export function parsePlace(place: string): (string | number)[] {
  return [...place.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([A-Za-z_$][\w$]*)/g)].map(
    ([, index, quoted, name]) =>
      index !== undefined
        ? Number(index)
        : quoted !== undefined
          ? (JSON.parse(quoted) as string)
          : (name ?? ""),
  );
}

export function formatProblem({ place, message, advice }: Problem): string {
  const said = advice ? `${message}: ${advice}` : message;
  return place ? `${place}: ${said}` : said;
}

/** What was meant takes long to find out, and nobody mends more at one go. */
const MOST_ADVISED = 1000;

/** zod's findings in Vitrine's words, each at the place of the field that is wrong. */
export function problemsOf(error: z.ZodError, schema: z.ZodType): Problem[] {
  let advised = 0;
  const ifFew = (advise: () => string | undefined) => (advised++ < MOST_ADVISED ? advise() : undefined);
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const advice = ifFew(() => adviceOnField(key, issue.path, schema));
        return problem([...issue.path, key], "is not a known field", advice);
      });
    }
    return [
      problem(
        issue.path,
        wording(issue),
        ifFew(() => adviceOn(issue, schema)),
      ),
    ];
  });
}

function problem(path: readonly PropertyKey[], message: string, advice: string | undefined): Problem {
  const place = formatPlace(path);
  return advice === undefined ? { place, message } : { place, message, advice };
}

function wording(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${nameOfType(issue.expected)}, not ${nameOfValue(issue.input)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_big":
    case "too_small":
      return issue.origin === "int" ? "must be a whole number that JSON can hold exactly" : issue.message;
    default:
      return issue.message;
  }
}

function nameOfType(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function nameOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return `the number ${value}`;
  return nameOfType(typeof value);
}
