/** A text in which there is something to see, or nothing: white space and invisible marks name no link. */
export function visible(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  // Most texts begin with something to see.
  const first = text.charCodeAt(0);
  if (first > 32 && first < 127 && text.charCodeAt(text.length - 1) > 32) return text.trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text.trim() : undefined;
}

/** Made when the first name needs it: that takes longer than all else that a command does at its start. */
let graphemes: Intl.Segmenter | undefined;

/** The first letter that can be seen: names that run from right to left often begin with a mark that says so. */
export function initialOf(name: string): string {
  // Nothing of ASCII belongs to the letter before it, and finding out where a letter ends is slow.
  if (/^[ -~]{2}/.test(name)) return name.charAt(0).toUpperCase();
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(name))
    if (visible(segment) !== undefined) return capitalOf(segment);
  return "";
}

/** Georgian begins no word with a capital: it has them for titles as a whole, and few fonts have them at all. */
function capitalOf(letter: string): string {
  return /\p{Script=Georgian}/u.test(letter) ? letter : letter.toLocaleUpperCase("en");
}

/** What people write for Latin letters that are no other letter with an accent, so that there is none to leave out. */
const SPELLED = new Map(
  "ß ss, æ ae, œ oe, þ th, ŋ ng, ø o, ł l, đ d, ð d, ħ h, ŧ t, ı i, ə e, ɛ e, ɔ o, ɓ b, ɗ d, ɖ d, ƙ k, ƴ y"
    .split(", ")
    .map((pair) => pair.split(" ") as [letter: string, spelling: string]),
);

/**
 * A name in small letters, of which Latin ones are those of English. Marks of other scripts stay: they are vowels there,
 * and make other letters.
 */
export function plainLetters(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/\p{Script=Latin}/gu, (letter) => SPELLED.get(letter) ?? letter);
}

/** A part of an address as people read it. Where a `%` in it does not begin the code of a character, it stays as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
