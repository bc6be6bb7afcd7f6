import type { Settings } from "../settings.ts";

/** Resolves with the first signal to stop; a second one ends the process at once. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        resolve(signal);
      });
    }
  });
}

/** In milliseconds. Ctrl+C is a person who stops the program, and not a rolling restart that must be noticed. */
export function delayAfter(signal: NodeJS.Signals, { shutdownDelay }: Settings): number {
  return signal === "SIGTERM" ? shutdownDelay * 1000 : 0;
}
