import { RedisClient } from "bun";
import { endsWithUs, freePort } from "./processes.ts";

interface Redis extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** A Redis that keeps nothing, on a free port. */
export async function startRedis(folder: string): Promise<Redis> {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const server = endsWithUs(
    Bun.spawn(["redis-server", ...args], { stdin: "ignore", stdout: "ignore", stderr: "inherit" }),
  );
  const url = `redis://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error("Redis ended before it served");
    await Bun.sleep(10);
  }
  return {
    url,
    pid: server.pid,
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new RedisClient(url, { autoReconnect: false });
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.close());
}
