import type { z } from "zod";

/** What zod found, with the value that was there. */
type Issue = z.core.$ZodIssue;

/** One thing that people get wrong, and what to do about it. */
interface Row {
  readonly mistake: string;
  /** What to do, where this row is about the issue. */
  advise(issue: Issue, schema: z.core.$ZodType): string | undefined;
}

/** What people get wrong in a record. The first row that has something to say is heard. */
export const MISTAKES: readonly Row[] = [
  {
    mistake: "a study level in other words",
    advise(issue) {
      if (issue.code !== "invalid_value" || typeof issue.input !== "string") return undefined;
      return meant(issue.input, issue.values.map(String));
    },
  },
  {
    mistake: "a text that is no record, such as a table",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.expected !== "object" || issue.path.length > 0)
        return undefined;
      return typeof issue.input === "string" ? "write its fields, as in email: ada@example.com" : undefined;
    },
  },
  {
    mistake: "a value of the profile without its flag",
    advise(issue, schema) {
      if (issue.code !== "invalid_type" || issue.expected !== "object") return undefined;
      if (typeof issue.input !== "string" || !fieldsAt(schema, issue.path)?.includes("isPublic"))
        return undefined;
      return `write { isPublic: true, value: ${inYaml(issue.input)} }`;
    },
  },
  {
    mistake: "a text that YAML and JSON read as a number",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.expected !== "string") return undefined;
      return typeof issue.input === "number" || typeof issue.input === "boolean"
        ? `put quotes around ${issue.input}`
        : undefined;
    },
  },
  {
    mistake: "another word for yes or no",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.expected !== "boolean") return undefined;
      return issue.input === undefined ? undefined : "write true or false, without quotes";
    },
  },
  {
    mistake: "a number in quotes",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.expected !== "number") return undefined;
      return typeof issue.input === "string" && /^-?\d+$/.test(issue.input)
        ? `write ${issue.input} without quotes`
        : undefined;
    },
  },
  {
    mistake: "one thing where there is a list",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.expected !== "array") return undefined;
      return typeof issue.input === "string" ? `write a list: [${inYaml(issue.input)}]` : undefined;
    },
  },
  {
    mistake: "something that is needed and not there",
    advise(issue) {
      if (issue.code !== "invalid_type" || issue.input !== undefined) return undefined;
      const name = String(issue.path.at(-1) ?? "");
      switch (issue.expected) {
        case "boolean":
          return `add ${name}: true or ${name}: false`;
        case "array":
          return `add ${name}: [] where there are none`;
        case "string":
          return `add ${name}: and its text`;
        default:
          return undefined;
      }
    },
  },
  {
    mistake: "a date that does not exist, or in another order",
    advise(issue) {
      if (issue.code !== "custom" || typeof issue.input !== "string" || !/ISO 8601/.test(issue.message))
        return undefined;
      return aboutDate(issue.input);
    },
  },
  {
    mistake: "an address without https://",
    advise(issue) {
      if (issue.code !== "custom" || typeof issue.input !== "string" || !/^must be a URL/.test(issue.message))
        return undefined;
      if (/^\s|\s$/.test(issue.input)) return "leave out the space around it";
      if (/\s/.test(issue.input)) return "write each space as %20";
      const [, scheme = "https", rest] =
        /^(?:(https?)(?::\/?|:\\+|\/\/)|\/\/)(?![\\/])(.+)/i.exec(issue.input) ?? [];
      if (rest !== undefined) return `write ${scheme}://${rest}`;
      return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]|$)/u.test(issue.input)
        ? `write https://${issue.input}`
        : undefined;
    },
  },
];

export function adviceOn(issue: Issue, schema: z.core.$ZodType): string | undefined {
  for (const { advise } of MISTAKES) {
    const advice = advise(issue, schema);
    if (advice) return advice;
  }
  return undefined;
}

/** What to do about a field that is not known: it is most often another one, mistyped. */
export function adviceOnField(
  name: string,
  path: readonly PropertyKey[],
  schema: z.core.$ZodType,
): string | undefined {
  return meant(name, fieldsAt(schema, path) ?? []);
}

function meant(written: string, known: readonly string[]): string | undefined {
  const folded = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
  const letters = folded(written);
  // Names whose lengths are further apart cannot be near each other. Most are, and the distance takes long to find.
  const nearest = known
    .map((name) => ({ name, lettersOf: folded(name) }))
    .filter(({ name, lettersOf }) => Math.abs(lettersOf.length - letters.length) <= mostApart(name))
    .map(({ name, lettersOf }) => ({ name, distance: distanceOf(letters, lettersOf) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return nearest && nearest.distance <= mostApart(nearest.name) ? `did you mean ${nearest.name}?` : undefined;
}

/** How many letters another text may differ in, and be meant for a name. */
function mostApart(name: string): number {
  return Math.max(1, Math.floor(name.length / 4));
}

/** How many letters must be added, dropped or replaced to make one text of another (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (let column = 0; column < other.length; column++)
      current.push(
        Math.min(
          (current[column] ?? 0) + 1,
          (previous[column + 1] ?? 0) + 1,
          (previous[column] ?? 0) + (letter === other[column] ? 0 : 1),
        ),
      );
    previous = current;
  }
  return previous[other.length] ?? 0;
}

/** The names of the fields that an object at a place may have. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [step, ...rest] = path;
  switch (def.type) {
    case "pipe":
      return fieldsAt(def.out, path);
    case "optional":
    case "nullable":
      return fieldsAt(def.innerType, path);
    case "array":
      return fieldsAt(def.element, rest);
    case "object": {
      if (step === undefined) return Object.keys(def.shape);
      const field = def.shape[String(step)];
      return field && fieldsAt(field, rest);
    }
    default:
      return undefined;
  }
}

/** A text as it may stand in YAML: in quotes where that could read something else into it. */
function inYaml(text: string): string {
  const isPlain = /^[\p{L}][\p{L}\p{N} .'-]*$/u.test(text) && !/^(?:true|false|null|yes|no)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

function aboutDate(written: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?:T|$)/.exec(written) ?? [];
  if (year !== undefined) {
    const name = MONTHS[Number(month) - 1];
    if (!name) return `there is no month ${Number(month)}`;
    const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    if (Number(day) < 1 || Number(day) > last) return `${Number(day)} ${name} does not exist in ${year}`;
  }
  const word = /^(?:(\d{1,2})\.? )?(\p{L}{3,9})\.?,? (\d{4})$/u.exec(written);
  // A name that only begins alike may be another month elsewhere, as Marraskuu is November.
  const number = MONTHS.findIndex((name) => word?.[2] !== undefined && name.startsWith(word[2])) + 1;
  if (word && number > 0) {
    const dayOfMonth = word[1] ? `-${word[1].padStart(2, "0")}` : "";
    return `write ${word[3]}-${String(number).padStart(2, "0")}${dayOfMonth}`;
  }
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{4}$/.test(written)) return "write the year first, such as 2024-03-01";
  if (/^\d{4}-\d{2}-\d{2} \d/.test(written)) return `write ${written.replace(" ", "T")}`;
  return "write year, month and day, such as 2024-03-01";
}
