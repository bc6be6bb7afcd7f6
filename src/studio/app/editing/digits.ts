/** Arabic and Persian keyboards type digits of their own. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A text whose digits, in whatever form they are typed, are those that dates and telephones have. */
export function plainDigits(text: string): string {
  return text.normalize("NFKC").replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) % 16));
}
