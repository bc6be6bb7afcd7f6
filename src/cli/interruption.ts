import { isHangUpHeard } from "../serving/signals.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { printError } from "./output.ts";
import { clearLine } from "./progress.ts";

const CODES = {
  SIGINT: EXIT_CODES.interrupted.code,
  SIGTERM: EXIT_CODES.terminated.code,
  SIGHUP: EXIT_CODES.hungUp.code,
} as const;

type Ending = keyof typeof CODES;

interface Interruption extends Disposable {
  /** Aborted before anything is said, for what is to be taken back. */
  readonly signal: AbortSignal;
}

/** Until it is disposed of: a signal to end leaves a clean line that says what is kept, and ends the process. */
export function onInterruption(kept: () => string): Interruption {
  const interrupted = new AbortController();
  const end = (signal: Ending) => {
    interrupted.abort();
    try {
      clearLine();
      printError(`Interrupted: ${kept()}`);
    } catch {
      // A terminal that was closed takes nothing more.
    }
    process.exit(CODES[signal]);
  };
  const signals = (Object.keys(CODES) as Ending[]).filter((signal) => signal !== "SIGHUP" || isHangUpHeard());
  for (const signal of signals) process.once(signal, end);
  return {
    signal: interrupted.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}
