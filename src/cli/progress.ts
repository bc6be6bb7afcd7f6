import { write } from "./output.ts";

const WIDTH = 24;
const REDRAW_MS = 100;

/** A bar on standard error while something long goes on. Silent where standard error is no terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #shown = process.stderr.isTTY === true;
  readonly #startedAt = performance.now();
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(label: string) {
    this.#label = label;
  }

  update(done: number, total: number, note: () => string = () => ""): void {
    const now = performance.now();
    if (!this.#shown || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const share = total > 0 ? Math.min(done / total, 1) : 0;
    const filled = Math.round(share * WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    const seconds = (now - this.#startedAt) / 1000;
    const said = note();
    const left = share > 0.02 ? ` · ${formatSeconds(seconds / share - seconds)} left` : "";
    write(2, `\r\x1b[2K${this.#label} ${bar} ${Math.floor(share * 100)}%${said ? ` ${said}` : ""}${left}`);
  }

  /** Shows words in place of the bar. */
  say(words: string): void {
    if (!this.#shown) return;
    this.#drawnAt = performance.now();
    write(2, `\r\x1b[2K${this.#label}: ${words}`);
  }

  /** Clears the bar, so that what follows stands on a clean line. */
  end(): void {
    if (this.#shown && this.#drawnAt > 0) write(2, "\r\x1b[2K");
  }
}

/** A bar for each of several steps, one after the other. */
export class ProgressBars {
  #label = "";
  #bar: ProgressBar | undefined;

  /** The bar of a step. That of the step before is cleared. */
  of(label: string): ProgressBar {
    if (this.#bar && label === this.#label) return this.#bar;
    this.end();
    this.#label = label;
    this.#bar = new ProgressBar(label);
    return this.#bar;
  }

  end(): void {
    this.#bar?.end();
  }
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;
}
