import { expect, test } from "bun:test";
import { processorSecondsOf } from "../../bench/processes.ts";
import { until } from "../support/until.ts";

test.if(process.platform === "linux")("the processor time of a process grows while it works", async () => {
  const child = Bun.spawn([process.execPath, "-e", "for (;;);"]);
  const before = processorSecondsOf(child.pid);
  try {
    await until("it to have worked", () => processorSecondsOf(child.pid) > before + 0.05);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the processor time of a process that is not there is not known", () => {
  expect(processorSecondsOf(2 ** 30)).toBeNaN();
});
