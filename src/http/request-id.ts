/** Short and plain enough to stand in a log line and a header as it is, and no key in the wrong place. */
const SANE = /^(?!.*vit_)[\w.:-]{1,128}$/;

/** Tells this process's requests from those of any other; a count tells them from each other. */
const processId = crypto.randomUUID().slice(0, 13);
let count = 0;

/** The caller's own id for a request where it is sane, so that both sides can speak of the same one. */
export function requestIdOf(given: string | null): string {
  if (given !== null && SANE.test(given)) return given;
  count++;
  return `${processId}-${count}`;
}
