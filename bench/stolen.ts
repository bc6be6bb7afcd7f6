import { readFileSync } from "node:fs";

/** Time of all processors since the machine started, and how much of it others on the same hardware had. */
export interface Ticks {
  readonly all: number;
  readonly stolen: number;
}

/** By the first line of `/proc/stat` (proc_stat(5)): user, nice, system, idle, iowait, irq, softirq, steal. */
export function ticksIn(stat: string): Ticks {
  const [line = ""] = stat.split("\n");
  const numbers = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: numbers.reduce((sum, ticks) => sum + ticks, 0), stolen: numbers[7] ?? 0 };
}

/** Nothing where the system does not tell. */
export function ownTicks(): Ticks {
  try {
    return ticksIn(readFileSync("/proc/stat", "utf8"));
  } catch {
    return { all: 0, stolen: 0 };
  }
}

export function stolenShare(before: Ticks, after: Ticks): number {
  const all = after.all - before.all;
  return all > 0 ? (after.stolen - before.stolen) / all : 0;
}
