/**
 * A strong tag of what has these parts. Nothing is trusted because of its tag, and it is only ever compared with tags of
 * the same document: 64 bits of a quick hash tell its versions apart.
 */
export function etagOf(...parts: readonly (string | Uint8Array)[]): string {
  let hash = 0n;
  for (const part of parts) hash = Bun.hash.xxHash3(part, hash);
  return `"${hash.toString(36)}"`;
}
