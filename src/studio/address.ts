/** Where the studio is, as browsers know it. */
export interface StudioAddress {
  /** Without a slash at the end. */
  readonly origin: string;
  /** The one value of `Host` that is answered. */
  readonly host: string;
  /** The host that passkeys belong to. */
  readonly relyingParty: string;
  /** The hosts that are led to the one above, since a passkey has no meaning for a number. */
  readonly leading: readonly string[];
  /** Whether all of it goes over TLS, which the strictest cookies need. */
  readonly isSecure: boolean;
}

/** The public address where there is one, and else the loopback one by its name. */
export function studioAddress(studioUrl: string, port: number): StudioAddress {
  const { origin, host, hostname, protocol } = new URL(studioUrl || `http://localhost:${port}`);
  // A URL leaves out the port where it is the usual one, and so does a browser's `Host`.
  const suffix = host.slice(hostname.length);
  return {
    origin,
    host,
    relyingParty: hostname,
    leading: studioUrl ? [] : ["127.0.0.1", "[::1]"].map((name) => name + suffix),
    isSecure: protocol === "https:",
  };
}
