/**
 * The library behind passkeys. It is loaded with the first of them, because it is large. What it needs to be there
 * before it is named here: the bundler of the executable puts the two in another order.
 */
export async function webauthn(): Promise<typeof import("@simplewebauthn/server")> {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}
