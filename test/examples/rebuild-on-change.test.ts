import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { connect } from "node:net";
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

/** The script while it listens, which runs a command when a change is announced. */
async function listening(secret: string, ...command: string[]) {
  const child = Bun.spawn(["node", SCRIPT, ...command], {
    env: { ...process.env, HOOK_SECRET: secret, PORT: "0" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const [url = ""] = /http:\S+/.exec(new TextDecoder().decode(value)) ?? [];
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

test("the portfolio's script builds when a change is announced, and only if that is signed", async () => {
  using folder = new TemporaryFolder();
  const secret = mintSecret();
  await using script = await listening(secret, "mkdir", folder.file("built"));
  const { url } = script;
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
});

test.each(["", "whsec_", "whsec_…", `"whsec_${"QUJD".repeat(10)}"`])(
  "the portfolio's script does not start with %p as its secret",
  (secret) => {
    const { exitCode, stderr } = Bun.spawnSync(["node", SCRIPT, "true"], {
      env: { ...process.env, HOOK_SECRET: secret, PORT: "0" },
      timeout: 30_000,
    });
    expect(stderr.toString()).toStartWith("Error: HOOK_SECRET");
    expect(exitCode).toBe(1);
  },
);

test("the portfolio's script says in words that it cannot listen on a port", () => {
  using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  for (const port of [String(taken.port), "web"]) {
    const { exitCode, stderr } = Bun.spawnSync(["node", SCRIPT, "true"], {
      env: { ...process.env, HOOK_SECRET: mintSecret(), PORT: port },
      timeout: 30_000,
    });
    expect(stderr.toString()).toMatch(
      /^Error: cannot listen on port \w+: .+\nTry: PORT=4401 npm run rebuild-on-change\n$/,
    );
    expect(exitCode).toBe(1);
  }
});

test("the portfolio's script goes on after a sender who leaves in the middle of a message", async () => {
  await using script = await listening(mintSecret(), "true");
  const { hostname, port } = new URL(script.url);
  const gone = Promise.withResolvers<void>();
  const sender = connect(Number(port), hostname, () => {
    sender.write("POST / HTTP/1.1\r\nHost: portfolio\r\nContent-Length: 100\r\n\r\n{", () => {
      sender.resetAndDestroy();
    });
  });
  sender.on("close", () => gone.resolve());
  await gone.promise;
  expect((await fetch(script.url)).status).toBe(401);
});
