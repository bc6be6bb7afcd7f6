/** Digits as Arabic and Persian keyboards type them. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A number as people write it: with spaces, brackets, dots, slashes, dashes, and marks of direction. */
const NUMBERS = /\+?[\s(\p{Cf}]*\d[\d\s()./\p{Pd}\p{Cf}]*/gu;

/** A text whose digits, in whatever form they are typed, are those that dates and telephones have. */
export function plainDigits(text: string): string {
  return text.normalize("NFKC").replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) % 16));
}

/**
 * What is dialled for a telephone number, or nothing where the text holds two: run together, those of a number with an
 * extension would be somebody else's. Behind the code of a country, a zero in brackets is not dialled.
 */
export function dialledIn(text: string): string | undefined {
  const [number, ...others] =
    plainDigits(text)
      .replace(/(\+.*)\(0\)/, "$1")
      .match(NUMBERS) ?? [];
  return others.length > 0 ? undefined : number?.replace(/[^\d+]/g, "");
}
