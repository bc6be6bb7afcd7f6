import { setPriority } from "node:os";
import { drawPreview } from "./draw.ts";
import type { DrawAnswer, DrawRequest } from "./messages.ts";

/** Those who answer requests come first. */
const NICE = 10;

/**
 * The process that draws. It knows its parent alone: no database, no network and no setting, since it reads pictures
 * that anybody may have made. It ends when its parent closes the channel, or is gone.
 */
export function drawForParent(): void {
  // Ctrl+C and a stop by systemd reach every process; the parent ends this one when it is time.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  try {
    setPriority(NICE);
  } catch {
    // Where that is not allowed, it draws like everybody else.
  }
  process.on("disconnect", () => process.exit(0));
  process.on("message", async ({ scene, picture }: DrawRequest) => {
    let answer: DrawAnswer;
    try {
      answer = { png: await drawPreview(scene, picture) };
    } catch (error) {
      answer = { failure: String(error) };
    }
    process.send?.(answer);
  });
}
