/** What passes while a call waits. Tests bring their own. */
export interface Time {
  now(): number;
  /** Rejects with the signal's reason once there is one. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const realTime: Time = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", end);
        resolve();
      }, milliseconds);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    }),
};
