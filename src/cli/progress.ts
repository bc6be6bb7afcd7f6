import { isTerminalDumb } from "../settings.ts";
import { write } from "./output.ts";

const WIDTH = 24;
const REDRAW_MS = 100;

/** Begins the last line of the terminal anew, over the bar and over what is shown for Ctrl+C. */
export function clearLine(): void {
  if (canRedraw()) write(2, CLEAR);
}

const CLEAR = "\r\x1b[2K";

/** A terminal that is dumb would show how a line is cleared, and add one bar to the other. */
function canRedraw(): boolean {
  return process.stderr.isTTY === true && !isTerminalDumb();
}

/**
 * A bar on standard error while something long goes on, and until it is disposed of, so that an error does not stand
 * behind it. Silent where standard error is no terminal.
 */
export class ProgressBar implements Disposable {
  readonly #label: string;
  readonly #shown = canRedraw();
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
    redraw(`${this.#label} ${bar} ${Math.floor(share * 100)}%${said ? ` ${said}` : ""}${left}`);
  }

  /** Shows words in place of the bar. */
  say(words: string): void {
    if (!this.#shown) return;
    this.#drawnAt = performance.now();
    redraw(`${this.#label}: ${words}`);
  }

  /** Clears the bar, so that what follows stands on a clean line. */
  end(): void {
    if (this.#shown && this.#drawnAt > 0) clearLine();
  }

  [Symbol.dispose](): void {
    this.end();
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

/** Only the last line can be cleared, so that what is longer than a narrow terminal is cut. */
function redraw(line: string): void {
  const columns = process.stderr.columns || Number.POSITIVE_INFINITY;
  write(2, CLEAR + line.slice(0, Math.max(columns - 1, 0)));
}

function formatSeconds(left: number): string {
  const seconds = Math.ceil(left);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
