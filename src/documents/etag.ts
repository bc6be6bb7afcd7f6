const digest = Buffer.alloc(32);

/** A strong tag: half of a SHA-256 tells any two versions of a document apart. */
export function etagOf(text: string): string {
  Bun.SHA256.hash(text, digest);
  return `"${digest.toString("base64url", 0, 16)}"`;
}
