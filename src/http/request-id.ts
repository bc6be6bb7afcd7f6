/** Short and plain enough to stand in a log line and a header as it is, and no key in the wrong place. */
const SANE = /^(?!.*vit_)[\w.:-]{1,128}$/;

/** The caller's own id for a request where it is sane, so that both sides can speak of the same one. */
export function requestIdOf(given: string | null): string {
  return given !== null && SANE.test(given) ? given : crypto.randomUUID();
}
