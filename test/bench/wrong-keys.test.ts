import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const PROGRAM = fileURLToPath(new URL("../../bench/wrong-keys.ts", import.meta.url));

test("somebody who tries keys gets 401 from the server, and says how often", async () => {
  await using server = await startTestServer({ limitFailed: 20, trustedProxies: ["127.0.0.1"] });
  const child = Bun.spawn([process.execPath, PROGRAM, server.url, "200", "/user/full"], { stdout: "pipe" });
  try {
    await until("it to be refused", () => server.logged().some(({ level }) => level === "warn"));
    child.kill("SIGTERM");
    const [ready, told = ""] = (await new Response(child.stdout).text()).split("\n");
    expect(ready).toBe("ready");
    const { seconds, answers } = JSON.parse(told);
    expect(seconds).toBeGreaterThan(0);
    // Some answers may still have been on their way.
    expect(Object.keys(answers).filter((status) => status !== "401" && status !== "429")).toEqual([]);
    expect(answers["401"]).toBeGreaterThan(0);
    expect(answers["401"]).toBeLessThanOrEqual(20);
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
  // It has an address of its own, so that nobody else is over the limit.
  expect((await server.get("/user/full", {})).status).toBe(401);
}, 300_000);
