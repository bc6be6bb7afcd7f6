/** Standard Webhooks 1.0.0: secrets are 24 to 64 random bytes, in base64 behind this. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function mintSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toBase64();
}

/** The signature of a message, in the scheme that all receivers know (v1). */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${new Bun.CryptoHasher("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
