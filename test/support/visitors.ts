/** What a person's browser says of itself. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** The headers of a person who visits a page. */
export const PERSON = { "User-Agent": BROWSER };
