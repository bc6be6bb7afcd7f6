/**
 * RFC 9110, section 13.1.2: whether `If-None-Match` names the tag. `*` matches anything there is, and tags are
 * compared weakly, so that a proxy which weakened ours still gets its 304.
 */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
