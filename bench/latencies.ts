/** How many requests took how many microseconds. */
export type Histogram = ReadonlyMap<number, number>;

/**
 * Takes back what wrk 4 adds to its latencies. It assumes that every connection should send at an even pace, and
 * for each answer that took longer than two paces it makes up the ones that would have waited behind it
 * (`stats_correct`). With a closed loop there are none: a connection asks again when it has its answer.
 */
export function uncorrected(histogram: Histogram, pace: number): Histogram {
  const counts = new Map(histogram);
  for (const taken of [...counts.keys()].toSorted((one, other) => other - one)) {
    if (taken < 2 * pace) break;
    const count = counts.get(taken) ?? 0;
    for (let made = taken - pace; made > pace; made -= pace)
      counts.set(made, (counts.get(made) ?? 0) - count);
  }
  return counts;
}

export function total(histogram: Histogram): number {
  return histogram.values().reduce((sum, count) => sum + count, 0);
}

/** The time within which this share of the requests was answered. */
export function percentile(histogram: Histogram, share: number): number {
  const rank = share * total(histogram);
  let seen = 0;
  for (const [taken, count] of [...histogram].toSorted(([one], [other]) => one - other)) {
    seen += count;
    if (seen >= rank) return taken;
  }
  return Number.NaN;
}
