/** The way to a value within a record, as problems name it: `["linkTrees", 0, "links", 2, "url"]`. */
export type Path = readonly (string | number)[];

type Container = Record<string | number, unknown>;

export function valueAt(whole: unknown, path: Path): unknown {
  let value = whole;
  for (const step of path) value = (value as Container | null | undefined)?.[step];
  return value;
}

/**
 * The same with another value at one place. Everything beside the way is shared with what was there before, so that
 * whoever compares finds out at once what did not change. `undefined` leaves the field out.
 */
export function withValue<Whole>(whole: Whole, path: Path, value: unknown): Whole {
  const [step, ...rest] = path;
  if (step === undefined) return value as Whole;
  const changed = withValue((whole as Container)[step], rest, value);
  if (Array.isArray(whole)) return whole.with(Number(step), changed) as Whole;
  const copy: Container = { ...(whole as Container), [step]: changed };
  if (changed === undefined) delete copy[step];
  return copy as Whole;
}

/** A path as one text: the key of a map, and the id of a field. */
export function textOf(path: Path): string {
  return path.join(".");
}

/** Whether a path leads to a place, or to something within it. */
export function begins(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

/** Whether two values say the same. What is left out says the same as `undefined`. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const name of names) if (!isSame((one as Container)[name], (other as Container)[name])) return false;
  return true;
}
