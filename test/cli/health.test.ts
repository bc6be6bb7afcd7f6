import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal } from "../support/command-line.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { Program } from "../support/program.ts";

setDefaultTimeout(300_000);

describe("vitrine health", () => {
  test("asks the server that PORT and HOST name, past any proxy of the environment", async () => {
    using program = new Program({ HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" });
    await using server = await program.serve(["serve", "--host", "0.0.0.0"]);
    const { port } = new URL(server.url);
    const environment = { HOST: "0.0.0.0", PORT: port };
    expect(await program.run(["health"], undefined, environment)).toEqual({
      stdout: "ok\n",
      stderr: "",
      exitCode: 0,
    });
    expect(await done(program, ["health", "--ready", "--port", port])).toBe("ready");
  });

  test("tells a studio that is there by the one name that it answers to", async () => {
    using program = new Program({ STUDIO_URL: "https://studio.example" });
    const port = String(await freePort());
    await using _studio = await program.serve(["studio", "--studio-port", port]);
    expect(await done(program, ["health", "--studio", "--studio-port", port])).toBe("ok");
  });

  test("says of a studio that answers to another name what to ask with", async () => {
    using program = new Program();
    const port = String(await freePort());
    await using _studio = await program.serve([
      ...["studio", "--studio-port", port],
      ...["--studio-url", "https://studio.example"],
    ]);
    expectRefusal(await program.run(["health", "--studio", "--studio-port", port]), {
      error: `the studio on port ${port} answers to another name than localhost:${port}`,
      remedy: "the same with --studio-url, as the studio was started",
    });
  });

  test("fails where nobody answers, and where the answer is not the right one", async () => {
    using program = new Program();
    const port = await freePort();
    expectRefusal(await program.run(["health", "--port", String(port)]), {
      error: new RegExp(`^nothing answers on 127\\.0\\.0\\.1 port ${port}: .*ECONNREFUSED`),
      remedy: `vitrine serve --port ${port}`,
    });
    using other = Bun.serve({ port: 0, fetch: () => new Response("", { status: 503 }) });
    expectRefusal(await program.run(["health", "--ready", "--port", String(other.port)]), {
      error: `/readyz on port ${other.port} answers 503`,
      remedy: "vitrine doctor",
    });
    expectRefusal(await program.run(["health", "--port", "0"]), {
      error: "port 0 is a free one, and does not say which",
      remedy: "vitrine health --help",
      exitCode: 2,
    });
  });
});
