import { ApiError } from "../contract/errors.ts";

/** RFC 3986, section 3.2.2: a host name, an IPv4 or a bracketed IPv6 address, and perhaps a port. */
const SANE_HOST = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** RFC 9112, section 3.2: a request with an invalid Host, or with two of them, must get a 400. */
export function refuseMalformedHost(host: string | null): void {
  if (host === null || host === lastSaneHost) return;
  if (SANE_HOST.test(host)) lastSaneHost = host;
  else throw new ApiError("bad_request", { detail: "Malformed Host header" });
}

/** Almost every request names the same host. */
let lastSaneHost: string | undefined;

/** The path as it was sent. A URL without a usable host begins with the path. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** The segments of a path, or undefined where it is not UTF-8 in percent-encoding. */
export function decodePath(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Finds the template, such as `/user/linktrees/:slug`, that a path fits; a trailing slash is accepted. Parameters
 * that the template does not have are empty.
 */
export function matchPath(segments: readonly string[], templates: readonly string[]) {
  const given = segments.at(-1) === "" ? segments.slice(0, -1) : segments;
  for (const template of templates) {
    const wanted = template.split("/");
    if (wanted.length !== given.length) continue;
    const fits = wanted.every(
      (part, position) => part === given[position] || (part.startsWith(":") && given[position]),
    );
    if (!fits) continue;
    const parameter = (name: string) => given[wanted.indexOf(name)] ?? "";
    return { template, slug: parameter(":slug"), linkId: parameter(":linkId") };
  }
  return undefined;
}
