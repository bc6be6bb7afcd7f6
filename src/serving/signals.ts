import { readFileSync } from "node:fs";
import type { Settings } from "../settings.ts";

/** Resolves with the first signal to stop; a second one ends the process at once. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    const signals: NodeJS.Signals[] = ["SIGTERM", "SIGINT"];
    if (isHangUpHeard()) signals.push("SIGHUP");
    for (const signal of signals) {
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

/** Whether a hang-up is ours to handle: what `nohup` has started ignores it, and a handler would undo that. */
export function isHangUpHeard(): boolean {
  try {
    // A bit for each signal, in hexadecimal digits. SIGHUP is the first, and so makes the number odd.
    return /^SigIgn:\s*[\da-f]*[02468ace]$/m.test(readFileSync("/proc/self/status", "utf8"));
  } catch {
    // Only Linux tells. Elsewhere the system ends the process by itself, as it does by default.
    return false;
  }
}
