const digest = Buffer.alloc(32);

/** A strong tag: half of a SHA-256 tells any two versions of a document apart. */
export function etagOf(text: string): string {
  Bun.SHA256.hash(text, digest);
  return `"${digest.toString("base64url", 0, 16)}"`;
}

/**
 * The tag of a page, by its parts. A page is many times as long as what it says, and nothing is trusted because of its
 * tag: 64 bits of a hash that is twenty times as fast tell its versions apart.
 */
export function pageTagOf(...parts: readonly string[]): string {
  let hash = 0n;
  for (const part of parts) hash = Bun.hash.xxHash3(part, hash);
  return `"${hash.toString(36)}"`;
}
