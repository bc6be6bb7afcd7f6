import { HEADER } from "../contract/headers.ts";

/** RFC 9110, section 12.5.3: whether gzip is named, and not only to be refused. */
const NAMES_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

export function acceptsGzip(request: Request): boolean {
  return NAMES_GZIP.test(request.headers.get(HEADER.acceptEncoding) ?? "");
}
