const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Until it is disposed of: a signal to end does this first, and then ends the process as the signal would have. */
export function onInterruption(undo: () => void): Disposable {
  const end = (signal: keyof typeof SIGNALS) => {
    undo();
    process.exit(128 + SIGNALS[signal]);
  };
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const signal of signals) process.once(signal, end);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}
