/** Time that moves only when the test says so. */
export class HandClock {
  #now: number;

  constructor(start = Date.parse("2026-04-12T08:30:00.000Z")) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export function seconds(count: number): number {
  return count * 1000;
}
