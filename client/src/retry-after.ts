/** The seconds that a `Retry-After` header asks to wait: a number of them, or a date (RFC 9110, section 10.2.3). */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // A date begins with the name of its day; `Date.parse` would make one of other things, too.
  const date = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
