const SECRET_BYTES = 32;

/** 256 random bits in 43 characters that need no escaping in an address. They are shown once and never stored. */
export function mintSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
}

/** What the store knows a secret by. */
export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret) as Uint8Array;
}
