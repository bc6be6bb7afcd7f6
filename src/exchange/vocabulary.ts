import { type Checked, checkRecord } from "../records/schema.ts";
import { FOREIGN, recognised } from "./foreign/formats.ts";

/** Checks Vitrine's own record, which `export` prints. What is of another program is named, instead of all its fields. */
export function checkOwnRecord(value: unknown): Checked {
  const checked = checkRecord(value);
  if ("input" in checked) return checked;
  const format = recognised(value);
  if (!format) return checked;
  const advice = `use --from ${format}`;
  return { problems: [{ place: "", message: `looks like ${FOREIGN[format].title}`, advice }] };
}
