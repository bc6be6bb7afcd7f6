import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageFor } from "../../src/hooks/message.ts";
import { post } from "../../src/hooks/post.ts";
import { mintSecret } from "../../src/hooks/signature.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const SCRIPT = fileURLToPath(
  new URL("../../examples/portfolio/scripts/rebuild-on-change.mjs", import.meta.url),
);

test("the portfolio's script builds when a change is announced, and only if that is signed", async () => {
  using folder = new TemporaryFolder();
  const secret = mintSecret();
  const child = Bun.spawn([process.execPath, SCRIPT, "mkdir", folder.file("built")], {
    env: { ...process.env, HOOK_SECRET: secret, PORT: "0" },
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    const [url = ""] = /http:\S+/.exec(new TextDecoder().decode(value)) ?? [];
    const send = (event: string, key: string, now = Date.now()) => {
      const delivery = { id: "delivery-1", url, headers: [], body: null, userId: "user-1", details: {} };
      return post(messageFor({ ...delivery, event, secret: key, createdAt: now }, now), {
        allowPrivate: true,
      });
    };
    expect((await send("record.changed", mintSecret())).status).toBe(401);
    expect((await send("record.changed", secret, Date.now() - 600_000)).status).toBe(401);
    expect((await fetch(url)).status).toBe(401);
    expect((await send("hook.test", secret)).status).toBe(202);
    expect(existsSync(folder.file("built"))).toBe(false);
    expect((await send("record.changed", secret)).status).toBe(202);
    await until("the build", () => existsSync(folder.file("built")));
  } finally {
    child.kill();
    await child.exited;
  }
});
