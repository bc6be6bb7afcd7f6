import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { commit } from "../../src/version.ts";
import release from "../../vendor/scalar/release.json" with { type: "json" };
import { Agent } from "../support/agents.ts";
import { done, fewerPeople, KEY, withKey } from "../support/command-line.ts";
import { Image, lackForImages } from "../support/image.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { text as openApiText } from "../support/openapi.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { Program } from "../support/program.ts";
import { describeWithRedis } from "../support/redis.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

setDefaultTimeout(300_000);

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const SAMPLE = fileURLToPath(new URL("../../sample/profile.yaml", import.meta.url));
const SAMPLE_EMAIL = "mira.solberg@example.com";

describe("the executable that `npm run build` makes", () => {
  const folder = new TemporaryFolder();
  const executable = process.env.VITRINE_EXECUTABLE ?? folder.file("vitrine");

  /** Run from an empty folder, and with nothing on the PATH that could help. */
  const startProgram = () => new Program({ PATH: "" }, [executable]);

  beforeAll(async () => {
    if (process.env.VITRINE_EXECUTABLE) return;
    const [command, ...args] = packageJson.scripts.build.replace("dist/vitrine", executable).split(" ");
    expect(command).toBe("bun");
    const build = Bun.spawn([process.execPath, ...args], {
      cwd: REPOSITORY,
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await new Response(build.stderr).text();
    if ((await build.exited) !== 0) throw new Error(`the build failed: ${said}`);
  });

  afterAll(() => folder[Symbol.dispose]());

  test("knows its version and its help", async () => {
    using program = startProgram();
    expect(await done(program, ["--version"])).toBe(`${packageJson.version} (${commit()})`);
    expect(await done(program, ["key", "create", "--help"])).toStartWith("Usage: vitrine key create");
  });

  test("imports, issues a key, serves and looks after its data", async () => {
    using program = startProgram();
    expect(await done(program, ["import", SAMPLE])).toBe(`created    ${SAMPLE_EMAIL}`);
    const key = await done(program, ["key", "create", SAMPLE_EMAIL]);
    expect(key).toMatch(KEY);
    await using server = await program.serve();
    const response = await fetch(`${server.url}/user/full`, withKey(key));
    expect(await response.json()).toMatchObject({ email: SAMPLE_EMAIL });
    await using agent = await Agent.today(server.url, key);
    expect((await agent.call("get_profile")).structuredContent).toMatchObject({ email: SAMPLE_EMAIL });

    await done(program, ["backup", "copy.db"]);
    expect(await done(program, ["export", "--all", "--database", "sqlite:copy.db"])).toBe(
      await done(program, ["export", "--all"]),
    );
    expect(await done(program, ["rebuild"])).toContain("1 user");
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
    expect(await done(program, ["user", "show", SAMPLE_EMAIL])).toContain("Mira Solberg");
    expect(await server.stop()).toBe(0);
  });

  test("takes neither code nor settings from the folder that it is started in", async () => {
    using program = startProgram();
    await program.put("bunfig.toml", 'preload = ["./preload.ts"]');
    await program.put("preload.ts", 'await Bun.write("ran", "");');
    await program.put(".env", "DATABASE_URL=sqlite:elsewhere.db");
    await done(program, ["import", SAMPLE]);
    const files = readdirSync(program.folder.path).toSorted();
    expect(files).toEqual([".env", "bunfig.toml", "preload.ts", "vitrine.db"]);
  });

  test("has the studio's page in it, and the library behind passkeys", async () => {
    using program = startProgram();
    await using studio = await program.serve(["studio", "--studio-port", "0"]);
    const { port, host } = new URL(studio.url);
    const ask = (path: string, method = "GET") =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { Host: host } });
    const [, script = ""] = /src="(\/[\w-]+\.js)"/.exec(await (await ask("/")).text()) ?? [];
    const served = await ask(script);
    expect(served.headers.get("Content-Type")).toStartWith("text/javascript");
    expect(await served.text()).not.toContain("columnNumber");
    expect(await (await ask("/api/passkey-sign-in/options", "POST")).json()).toMatchObject({
      rpId: "localhost",
    });
    expect(await studio.stop()).toBe(0);
  });

  test("imports a large file, which takes more than one thread", async () => {
    using program = startProgram();
    await program.put("people.ndjson", fewerPeople(450));
    const sums = JSON.parse(await done(program, ["import", "people.ndjson", "--json"])) as unknown;
    expect(sums).toMatchObject({ records: 450, created: 450 });
  });

  test("carries the sample profile of the first look", async () => {
    using program = startProgram();
    await using server = await program.serve(["demo"]);
    const key = /^ *(vit_\w+)$/m.exec(server.output())?.[1] ?? "";
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
  });

  test("carries the description of the API, and the page that shows it", async () => {
    using program = startProgram();
    expect(`${await done(program, ["openapi"])}\n`).toBe(openApiText);
    await using server = await program.serve();
    expect(await (await fetch(`${server.url}/openapi.json`)).text()).toBe(openApiText);
    const page = await (await fetch(`${server.url}/docs`)).text();
    const script = await fetch(server.url + /<script src="([^"]+)">/.exec(page)?.[1]);
    expect(new Bun.CryptoHasher("sha256").update(await script.bytes()).digest("hex")).toBe(release.sha256);
  });

  const lack = lackForImages();
  if (lack) withoutTool("in an image", lack, () => {});
  else
    describe("in an image", () => {
      let image: Image;
      beforeAll(() => {
        image = new Image(executable);
      });
      afterAll(() => image?.[Symbol.dispose]());

      test("has little beside it: no shell, a user of its own, one volume, and labels", () => {
        expect(["/bin/sh", "/usr/bin/env", "/bin/busybox"].filter((path) => image.has(path))).toEqual([]);
        expect(image.configuration).toMatchObject({
          User: "65532:65532",
          WorkingDir: "/data",
          Volumes: { "/data": {} },
          StopSignal: "SIGTERM",
          Cmd: ["serve"],
          Labels: {
            "org.opencontainers.image.licenses": packageJson.license,
            "org.opencontainers.image.description": packageJson.description,
            "org.opencontainers.image.version": "1.2.3",
          },
        });
      });

      test("says under which licences it is, and the work of others in it", () => {
        const files = ["LICENSE", "THIRD-PARTY-LICENSES"].map((name) => `/usr/share/doc/vitrine/${name}`);
        expect(files.filter((path) => !image.has(path))).toEqual([]);
      });

      test("serves from its volume on a read-only root, says that it is healthy, stops in good order, and goes on after a restart", async () => {
        const { Cmd, Healthcheck, Entrypoint } = image.configuration;
        const first = await image.start(Cmd, { PORT: String(await freePort()) });
        const url = await first.url();
        const vitrine = (...args: string[]) => first.run([...Entrypoint, ...args]);
        const health = Healthcheck.Test.slice(1);
        expect(first.run(health)).toEqual({ stdout: "ok", exitCode: 0 });
        await image.put("profile.yaml", await Bun.file(SAMPLE).text());
        expect(vitrine("import", "profile.yaml").stdout).toBe(`created    ${SAMPLE_EMAIL}`);
        const key = vitrine("key", "create", SAMPLE_EMAIL).stdout;
        const before = await (await fetch(`${url}/user/full`, withKey(key))).text();
        expect(JSON.parse(before)).toMatchObject({ email: SAMPLE_EMAIL });
        expect(await first.stop("SIGTERM")).toBe(0);

        const second = await image.start(Cmd, { PORT: "0" });
        expect(await (await fetch(`${await second.url()}/user/full`, withKey(key))).text()).toBe(before);
        expect(await second.stop("SIGTERM")).toBe(0);
      });
    });

  describeWithRedis("with Redis", (redis) => {
    test("serves with several workers and shows metrics, starting itself for each", async () => {
      using program = startProgram();
      const { url } = await redis();
      const args = ["serve", "--workers", "2", "--redis", url, "--metrics-port", "0"];
      await using server = await program.serve(args);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      const page = await readMetrics(metricsUrl(server));
      expect(page.value("vitrine_workers")).toBe(2);
      expect(page.value("vitrine_limiter_shared", { worker: "2" })).toBe(1);
      expect(await server.stop()).toBe(0);
    });
  });

  test("backs up on a terminal too, where it starts itself a second time", async () => {
    using program = startProgram();
    await done(program, ["import", SAMPLE]);
    const { screen, exitCode } = await program.runOnTerminal(["backup", "copy.db"]);
    expect(screen).toContain("Wrote copy.db");
    expect(exitCode).toBe(0);
  });
});
