/**
 * RFC 9110, section 13.1.2: whether `If-None-Match` names the tag. `*` matches anything there is, and tags are
 * compared weakly, so that a proxy which weakened ours still gets its 304.
 */
function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.matchAll(LISTED_TAG).some(([, tag]) => tag === etag);
}

/** RFC 9110, section 8.8.3: what is compressed has another strong tag than what is not. */
export function gzipTag(etag: string): string {
  return `${etag.slice(0, -1)}.gzip"`;
}

/**
 * The tag that `If-None-Match` names of a document, in whichever encoding the caller has it. Where it names both, it is
 * that of the one that would be sent.
 */
export function namedTag(ifNoneMatch: string, etag: string, isSentPacked: boolean): string | undefined {
  const packed = gzipTag(etag);
  const tags = isSentPacked ? [packed, etag] : [etag, packed];
  return tags.find((tag) => namesTag(ifNoneMatch, tag));
}

/** A tag of a list, without its mark of weakness. A comma or a star inside the quotes is part of it. */
const LISTED_TAG = /(?<=^|,)\s*(?:W\/)?("[^"]*")\s*(?=,|$)/g;
