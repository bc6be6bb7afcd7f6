import fc from "fast-check";
import { slug as slugSchema } from "../../src/contract/fields.ts";
import { anyCharacter } from "./arbitraries.ts";

/** Characters that a URL, a router or a database might take for something else. */
const TROUBLE = [..."%?#.+:*;&=@!$'()[]{}|\\^~`\"<>,- _", "%2f", "%00", "%252e", "..", "é", "🇵🇹"];

const text = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 1, maxLength: 100 });

/** Any slug that the contract allows, from all of Unicode, with its troublemakers well represented. */
export const anySlug: fc.Arbitrary<string> = fc
  .oneof(
    text(fc.constantFrom(...TROUBLE)),
    text(fc.constantFrom(...TROUBLE, ..."abcxyz019")),
    text(fc.oneof(fc.constant("a"), anyCharacter)),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  )
  .map((value) => value.normalize().toLowerCase().normalize().trim())
  .filter((value) => slugSchema.safeParse(value).success);
