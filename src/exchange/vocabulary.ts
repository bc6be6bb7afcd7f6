import { type Checked, checkRecord } from "../records/schema.ts";
import { FOREIGN, recognised } from "./foreign/formats.ts";

/** What the fields of a value mean: the record that the value stands for, or what is wrong with it. */
type Vocabulary = (value: unknown) => Checked;

/** Vitrine's own record, which `export` prints. What is of another program is named, instead of all its fields. */
export const RECORD: Vocabulary = (value) => {
  const checked = checkRecord(value);
  if ("input" in checked) return checked;
  const format = recognised(value);
  if (!format) return checked;
  const advice = `use --from ${format}`;
  return { problems: [{ place: "", message: `looks like ${FOREIGN[format].title}`, advice }] };
};
