import { ApiError } from "../../contract/errors.ts";

/** RFC 3986, section 3.2.2: a host name, an IPv4 or a bracketed IPv6 address, and perhaps a port. */
const SANE_HOST = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::(\d{0,5}))?$/i;

const LAST_PORT = 65_535;

/** Almost every request names the same host. */
let lastSaneHost: string | undefined;

/** RFC 9112, section 3.2: a request with an invalid Host, or with two of them, must get a 400. */
export function refuseMalformedHost(host: string | null): void {
  if (host === null || host === lastSaneHost) return;
  if (!isSane(host)) throw new ApiError("bad_request", { detail: "Malformed Host header" });
  lastSaneHost = host;
}

/** The grammar allows what no address can have: a broken percent-encoding, an IPv4 address of five numbers. */
function isSane(host: string): boolean {
  const parts = SANE_HOST.exec(host);
  return parts !== null && Number(parts[1] ?? 0) <= LAST_PORT && URL.canParse(`http://${host}`);
}

/** The origin that a visitor has asked. Nothing where the request does not name it, as HTTP/1.0 allows. */
export function originOf(request: Request): string {
  return URL.parse(request.url)?.origin ?? "";
}
