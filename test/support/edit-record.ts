type Holder = Record<string, unknown>;

/** The parts of a place as problems name it: `linkTrees[0].links[2].url`. */
function partsOf(place: string): string[] {
  return place.split(/[.[\]]+/).filter(Boolean);
}

function edit(record: unknown, place: string, change: (holder: Holder, part: string) => void): unknown {
  const copy = structuredClone(record);
  const parts = partsOf(place);
  const last = parts.pop() ?? "";
  let holder = copy as Holder;
  for (const part of parts) holder = holder[part] as Holder;
  change(holder, last);
  return copy;
}

/** The same record with another value at one place. */
export function withValue(record: unknown, place: string, value: unknown): unknown {
  return edit(record, place, (holder, part) => {
    holder[part] = value;
  });
}

/** The same record with one field or entry left out. */
export function without(record: unknown, place: string): unknown {
  return edit(record, place, (holder, part) => {
    if (Array.isArray(holder)) holder.splice(Number(part), 1);
    else delete holder[part];
  });
}

export function valueAt(record: unknown, place: string): unknown {
  return partsOf(place).reduce((value, part) => (value as Holder)[part], record);
}

/** Every place of a record that holds something, its parts before itself. */
export function placesOf(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = Array.isArray(value) ? `${place}[${key}]` : place ? `${place}.${key}` : key;
    return [name, ...placesOf(inner, name)];
  });
}
