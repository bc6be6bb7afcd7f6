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
  const shortCut = shortCutFor(def);
  return shortCut ? ruled(shortCut, def.checks ?? []) : asked(schema);
}

function shortCutFor(def: z.core.$ZodTypes["_zod"]["def"]): QuickCheck | undefined {
  switch (def.type) {
    case "string":
      return "format" in def ? undefined : isString;
    case "boolean":
      return isBoolean;
    case "nullable":
      return nullable(checkOf(def.innerType));
    case "optional":
      return checkOf(def.innerType);
    case "array":
      return array(checkOf(def.element));
    case "object":
      return def.catchall?._zod.def.type === "never" ? strictObject(def.shape) : undefined;
    case "pipe":
      return "transform" in def ? undefined : pipe(checkOf(def.in), checkOf(def.out));
    default:
      return undefined;
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

/** Fields come out in the order of the shape, not of the input. */
function strictObject(shape: z.core.$ZodShape): QuickCheck {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    check: checkOf(schema),
    // A rule about what may be left out is a rule about leaving it out, too.
    isOptional: schema._zod.def.type === "optional" && !schema._zod.def.checks?.length,
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
function ruled(check: QuickCheck, rules: readonly z.core.$ZodCheck<never>[]): QuickCheck {
  if (rules.length === 0) return check;
  // One for all values, for as long as they are good: a record has hundreds.
  let payload: Payload = { value: undefined, issues: [] };
  return (value) => {
    const checked = check(value);
    if (checked === UNSURE) return UNSURE;
    payload.value = checked;
    for (const { _zod: rule } of rules) {
      if (rule.def.when?.(payload) ?? true) rule.check(payload as z.core.ParsePayload<never>);
    }
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
