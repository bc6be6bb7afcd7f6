import type { z } from "zod";

/** Something wrong with a record, and where: `linkTrees[0].links[2].url`. An empty place is the record itself. */
export interface Problem {
  readonly place: string;
  readonly message: string;
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

export function formatProblem({ place, message }: Problem): string {
  return place ? `${place}: ${message}` : message;
}

/** zod's findings in Vitrine's words, each at the place of the field that is wrong. */
export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        place: formatPlace([...issue.path, key]),
        message: "is not a known field",
      }));
    }
    return [{ place: formatPlace(issue.path), message: wording(issue) }];
  });
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
