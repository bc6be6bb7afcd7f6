/** How many characters (Unicode code points) each kind of text may have. */
export const BOUNDS = {
  title: 200,
  shortDescription: 500,
  description: 5000,
  profileValue: 500,
  url: 2000,
  technology: 100,
  technologies: 50,
  section: 100,
  slug: 100,
  identifier: 100,
} as const;

/** Counts code points, so that an emoji is one character; the length in UTF-16 units is the quick bound. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > limit;
}

/**
 * Text that every engine stores and returns unchanged: PostgreSQL refuses NUL, and half of a surrogate pair
 * has no UTF-8 form.
 */
export function textFault(value: string, limit: number): string | undefined {
  if (isLongerThan(value, limit)) return `must have at most ${limit} characters`;
  if (!value.isWellFormed()) return "must not hold half of a surrogate pair";
  if (value.includes("\0")) return "must not hold a NUL character";
  return undefined;
}

/**
 * What cannot be seen or turns the direction of what follows, and spaces that look like the plain one: with them, two
 * slugs could look the same. Joiners and variation selectors of emoji are among them.
 */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;

/** Almost every slug is plain ASCII, in which nothing hides and nothing can be composed. */
const PLAIN = /^[ -~]*$/;

/** All that is wrong with a slug that comes in. One that is stored already may be older than a rule. */
export function slugFaults(value: string): readonly string[] {
  const isPlain = PLAIN.test(value);
  const hidden = isPlain ? undefined : HIDDEN.exec(value.trim())?.[0];
  const faults = [
    value === "" && "must not be empty",
    value !== value.toLowerCase() && "must be lower case",
    value !== value.trim() && "must not begin or end with white space",
    /[\p{Cc}/]/u.test(value) && "must not hold a control character or /",
    // In a path it stands for bytes that could not be read.
    value.includes("\uFFFD") && "must not hold the replacement character U+FFFD",
    hidden &&
      `must not hold ${codePoint(hidden)}, which is invisible, changes direction or looks like a space: leave it out`,
    !isPlain &&
      value !== value.normalize() &&
      "must be in Unicode's composed form (NFC): type it anew, or let an editor convert it",
    // A path segment of dots is resolved away before it reaches a server.
    (value === "." || value === "..") && "must not be . or ..",
    textFault(value, BOUNDS.slug),
  ];
  return faults.filter((fault) => typeof fault === "string");
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

export const EMAIL_BOUND = 320;
const EMAIL = /^[^\s\p{Cc}@"(),:;<>[\]\\]{1,64}@[^\s\p{Cc}@"(),:;<>[\]\\]{1,255}$/u;

export function emailFault(value: string): string | undefined {
  return EMAIL.test(value) ? textFault(value, EMAIL_BOUND) : "must be an e-mail address";
}
