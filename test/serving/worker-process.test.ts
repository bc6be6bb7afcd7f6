import { describe, expect, test } from "bun:test";
import { chmodSync, renameSync } from "node:fs";
import { Log } from "../../src/logging/log.ts";
import { WorkerProcess } from "../../src/serving/worker-process.ts";
import type { Settings } from "../../src/settings.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

/** A worker that serves, closes the channel a moment later as one that is about to end does, and then ends. */
const CLOSES_AND_ENDS = `
  process.on("message", ({ kind }) => {
    if (kind === "ask") process.send({ kind: "alive" });
    if (kind !== "serve") return;
    process.send({ kind: "serving", url: "http://127.0.0.1" });
    setTimeout(() => process.disconnect(), 30);
    setTimeout(() => process.exit(0), 500);
  });`;

/** A program of its own that serves until it is told to stop. */
const SERVES = `#!${process.execPath}
  process.on("message", ({ kind }) => {
    if (kind === "ask") process.send({ kind: "alive" });
    if (kind === "serve") process.send({ kind: "serving", url: String(process.pid) });
    if (kind === "stop") process.exit(0);
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

describe("a worker that cannot be started anew", () => {
  test("does its parent no harm, is started as soon as it can be, and has every attempt counted", async () => {
    using folder = new TemporaryFolder();
    const [program, aside] = [folder.file("vitrine.js"), folder.file("aside.js")];
    await Bun.write(program, SERVES);
    chmodSync(program, 0o755);
    let output = "";
    const write = (bytes: Uint8Array) => {
      output += new TextDecoder().decode(bytes);
    };
    const log = new Log({ level: "info", readable: false, write });
    const worker = new WorkerProcess(1, {} as Settings, log, { command: [program] });
    const pid = Number(await worker.start());
    renameSync(program, aside);
    process.kill(pid, "SIGKILL");
    await until("the start to fail", () => output.includes("a worker could not start"));
    const attempts = worker.restarts;
    expect(attempts).toBeGreaterThan(0);
    renameSync(aside, program);
    await until("it to serve again", () => output.includes("a worker serves again"));
    expect(worker.restarts).toBeGreaterThan(attempts);
    expect(await worker.stop(0)).toBe(0);
  });
});
