/** A time-ordered UUID in 22 characters that need no escaping in a path. */
export function newId(): string {
  return Bun.randomUUIDv7("base64url");
}
