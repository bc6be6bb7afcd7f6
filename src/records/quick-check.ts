import type { z } from "zod";

type Schema = z.core.$ZodType;
type Payload = z.core.ParsePayload;

/** Stands for a value that only the schema itself can judge. */
const UNSURE = Symbol("unsure");

type QuickCheck = (value: unknown) => unknown;

/**
 * A check by a schema that knows good values only: it returns what the schema would, or nothing. Almost every
 * record of a large import is good, and to find that out takes the schema several times as long, since it must be
 * ready at every step to say what is wrong and where.
 */
export function quickCheckOf<Checked extends Schema>(
  schema: Checked,
): (value: unknown) => z.output<Checked> | undefined {
  const check = checkOf(schema);
  return (value) => {
    const checked = check(value);
    return checked === UNSURE ? undefined : (checked as z.output<Checked>);
  };
}

function checkOf(schema: Schema): QuickCheck {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return "format" in def ? asked(schema) : ruled(isString, def.checks);
    case "boolean":
      return ruled(isBoolean, def.checks);
    case "nullable":
      return nullable(checkOf(def.innerType));
    case "optional":
      return checkOf(def.innerType);
    case "array":
      return ruled(array(checkOf(def.element)), def.checks);
    case "object":
      return def.catchall?._zod.def.type === "never"
        ? ruled(strictObject(def.shape), def.checks)
        : asked(schema);
    case "pipe":
      return "transform" in def ? asked(schema) : pipe(checkOf(def.in), checkOf(def.out));
    default:
      return asked(schema);
  }
}

function isString(value: unknown): unknown {
  return typeof value === "string" ? value : UNSURE;
}

function isBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? value : UNSURE;
}

function nullable(check: QuickCheck): QuickCheck {
  return (value) => (value === null ? null : check(value));
}

function array(check: QuickCheck): QuickCheck {
  return (value) => {
    if (!Array.isArray(value)) return UNSURE;
    const checked = new Array(value.length);
    for (let index = 0; index < value.length; index++) {
      const item = check(value[index]);
      if (item === UNSURE) return UNSURE;
      checked[index] = item;
    }
    return checked;
  };
}

/** Fields come out in the order of the shape, whatever order they came in. */
function strictObject(shape: z.core.$ZodShape): QuickCheck {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    check: checkOf(schema),
    isOptional: schema._zod.def.type === "optional",
  }));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return UNSURE;
    const checked: Record<string, unknown> = {};
    let known = 0;
    for (const { name, check, isOptional } of fields) {
      const given = (value as Record<string, unknown>)[name];
      if (given === undefined) {
        if (isOptional) continue;
        return UNSURE;
      }
      const field = check(given);
      if (field === UNSURE) return UNSURE;
      checked[name] = field;
      known++;
    }
    return Object.keys(value).length === known ? checked : UNSURE;
  };
}

function pipe(first: QuickCheck, second: QuickCheck): QuickCheck {
  return (value) => {
    const checked = first(value);
    return checked === UNSURE ? UNSURE : second(checked);
  };
}

/** Applies the rules that a schema has beyond its type. One may change the value. */
function ruled(check: QuickCheck, rules: readonly z.core.$ZodCheck<never>[] | undefined): QuickCheck {
  if (!rules?.length) return check;
  // One for all values, for as long as they are good: a record has hundreds.
  let payload: Payload = { value: undefined, issues: [] };
  return (value) => {
    const checked = check(value);
    if (checked === UNSURE) return UNSURE;
    payload.value = checked;
    for (const rule of rules) rule._zod.check(payload as z.core.ParsePayload<never>);
    if (payload.issues.length === 0) return payload.value;
    payload = { value: undefined, issues: [] };
    return UNSURE;
  };
}

/** What there is no short cut for. */
function asked(schema: Schema): QuickCheck {
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, {});
    return result instanceof Promise || result.issues.length > 0 ? UNSURE : result.value;
  };
}
