/** Addresses of this machine, from which a proxy in front of the studio comes. */
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * The address that a request came from. Behind a proxy on this machine it is the last one that the header names: that
 * one was written by the proxy, and those before it by anybody.
 */
export function clientAddress(request: Request, peer: string | undefined, isBehindProxy: boolean): string {
  const forwarded = request.headers.get("X-Forwarded-For")?.split(",").at(-1)?.trim();
  const isProxy = isBehindProxy && LOOPBACK.test(peer ?? "");
  return (isProxy && forwarded) || (peer ?? "");
}
