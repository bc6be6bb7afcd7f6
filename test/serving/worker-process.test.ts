import { describe, expect, test } from "bun:test";
import { Log } from "../../src/logging/log.ts";
import { WorkerProcess } from "../../src/serving/worker-process.ts";
import type { Settings } from "../../src/settings.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** A worker that serves, closes the channel a moment later as one that is about to end does, and then ends. */
const CLOSES_AND_ENDS = `
  process.on("message", ({ kind }) => {
    if (kind === "ask") process.send({ kind: "alive" });
    if (kind !== "serve") return;
    process.send({ kind: "serving", url: "http://127.0.0.1" });
    setTimeout(() => process.disconnect(), 30);
    setTimeout(() => process.exit(0), 500);
  });`;

/** Keeps this process busy, so that a question is due whenever it has heard something of a child. */
function keepBusy(): Disposable {
  const timer = setInterval(() => {
    const end = performance.now() + 200;
    while (performance.now() < end);
  }, 1);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

describe("a worker that closes its channel", () => {
  test("does its parent no harm, who asks whether it lives just then", async () => {
    using folder = new TemporaryFolder();
    const script = folder.file("worker.ts");
    await Bun.write(script, CLOSES_AND_ENDS);
    const log = new Log({ level: "silent", readable: false });
    const worker = new WorkerProcess(1, {} as Settings, log, {
      command: [process.execPath, script],
      askMs: 1,
    });
    await worker.start();
    using _busy = keepBusy();
    expect(await worker.stop(0)).toBe(0);
  });
});
