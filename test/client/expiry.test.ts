import { describe, expect, spyOn, test } from "bun:test";
import { makeClient } from "../../client/src/client.ts";
import { vitrine } from "../../client/src/index.ts";
import { realTime } from "../../client/src/time.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const DAY = 86_400_000;

/** A client whose time is the server's, and what it was told. */
async function clientOf(server: TestServer, expiresAt: number | null) {
  const { key } = await server.key({ expiresAt });
  const warnings: string[] = [];
  const make = () =>
    makeClient(
      { url: server.url, key, onWarning: (message) => warnings.push(message) },
      { ...realTime, now: server.clock.now },
    );
  return { make, warnings, key };
}

describe("a key that expires", () => {
  test("is warned of from 14 days before, once, whichever client reads", async () => {
    await using server = await startTestServer();
    const expiresAt = server.clock.now() + 14 * DAY + 1;
    const { make, warnings, key } = await clientOf(server, expiresAt);
    await make().links();
    expect(warnings).toEqual([]);
    server.clock.advance(DAY);
    const me = make();
    for (let count = 0; count < 3; count++) await me.links();
    await make().full();
    expect(warnings).toEqual([
      `The key for ${server.url} expires at ${new Date(expiresAt).toISOString()}, in 13 days. Ask for a new one in time.`,
    ]);
    expect(warnings.join()).not.toContain(key);
  });

  test("is warned of by an answer that is an error, too", async () => {
    await using server = await startTestServer();
    const { make, warnings } = await clientOf(server, server.clock.now() + 1.5 * DAY);
    await make()
      .linkTree("nowhere")
      .catch(() => {});
    expect(warnings).toEqual([expect.stringContaining("in 1 day.")]);
  });

  test("within a day, as one that was replaced does, is not said to last for 0 days", async () => {
    await using server = await startTestServer();
    const { make, warnings } = await clientOf(server, server.clock.now() + DAY - 1);
    await make().links();
    expect(warnings).toEqual([expect.stringContaining("Z, in less than a day. Ask")]);
  });

  test("never is not warned of", async () => {
    await using server = await startTestServer();
    const { make, warnings } = await clientOf(server, null);
    await make().full();
    expect(warnings).toEqual([]);
  });

  test("is warned of on the console, unless said otherwise", async () => {
    await using server = await startTestServer();
    const { key } = await server.key({ expiresAt: Date.now() + DAY });
    const warn = spyOn(console, "warn").mockImplementation(() => {});
    try {
      await vitrine({ url: server.url, key }).links();
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });
});
