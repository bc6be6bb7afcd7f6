/** Something that is done step by step. */
export interface Walk {
  /** Takes the next step. Whether another one can follow at once. */
  step(): boolean;
}

let gathered: Walk[] = [];

/**
 * Takes the steps of something at the end of this turn of the event loop, together with all else that came in it: each
 * step for all of them before the next one for any. What a step needs, code as well as data, is then still in the
 * processor's caches, from which the rest of a request, the network above all, would push it out.
 */
export function walkTogether(walk: Walk): void {
  if (gathered.length === 0) setImmediate(goRound);
  gathered.push(walk);
}

function goRound(): void {
  let walking = gathered;
  gathered = [];
  while (walking.length > 0) walking = walking.filter((walk) => walk.step());
}
