import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { fencesOf, readFile } from "../docs/markdown.ts";
import { answersOf } from "../support/answers.ts";
import { InstalledClient, run, tool } from "../support/client-package.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

const RUNTIMES = [
  { name: "Node", command: ["node"] },
  { name: "Bun", command: [process.execPath] },
  // There is no package of it to rely on, so it is tried where somebody has it.
  ...(Bun.which("deno") ? [{ name: "Deno", command: ["deno", "run", "--allow-all"] }] : []),
];

/** What some of the runtimes have and others do not. */
const NOT_EVERYWHERE =
  /\b(?:node:|bun:|process|Buffer|Bun|Deno|require|window|document|localStorage|crypto)\b/;

const READ_EVERYTHING = `
  import { memoryCache, publicProfile, VitrineError, vitrine } from "vitrine-client";
  const me = vitrine({ url: process.env.VITRINE_URL, key: process.env.VITRINE_KEY, cache: memoryCache() });
  const full = await me.full();
  const missing = await me.linkTree("nowhere").catch((error) => error);
  console.log(JSON.stringify({
    full,
    again: await me.full(),
    linkTrees: await me.linkTrees(),
    linkTree: await me.linkTree("everything-1"),
    links: await me.links(),
    jobs: await me.jobs(),
    projects: await me.projects(),
    education: await me.education(),
    resume: await me.resume(),
    name: publicProfile(full).profile.name,
    missing: { isVitrineError: missing instanceof VitrineError, ...missing, message: missing.message },
  }));
`;

/** The environment as Node's own types have it. */
const PROCESS = "declare const process: { env: Record<string, string | undefined> };\n";

/** Each of these fails in a way of its own. */
const FAIL_TO_CONNECT = `
  import { createServer } from "node:net";
  import { vitrine } from "vitrine-client";
  const listen = (answer) => new Promise((resolve) => {
    const server = createServer((socket) => socket.once("data", () => answer(socket)));
    server.listen(0, "127.0.0.1", () => resolve({ server, port: server.address().port }));
  });
  const cutting = await listen((socket) => socket.destroy());
  const plain = await listen((socket) => socket.end("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n[]"));
  const gone = await listen(() => {});
  await new Promise((resolve) => gone.server.close(resolve));
  const reasons = {};
  for (const [name, url] of Object.entries({
    dns: "https://nowhere.invalid",
    refused: "http://127.0.0.1:" + gone.port,
    lost: "http://127.0.0.1:" + cutting.port,
    tls: "https://127.0.0.1:" + plain.port,
  })) reasons[name] = await vitrine({ url, key: "key", retryBudget: 0 }).full().catch(({ reason }) => reason);
  console.log(JSON.stringify(reasons));
  process.exit();
`;

describe("the packed client", () => {
  let client: InstalledClient;
  let server: TestServer;
  let environment: Record<"VITRINE_URL" | "VITRINE_KEY" | "VITRINE_PUBLIC_KEY", string>;

  beforeAll(async () => {
    client = await InstalledClient.create();
    server = await startTestServer();
    environment = {
      VITRINE_URL: server.url,
      VITRINE_KEY: (await server.key()).key,
      VITRINE_PUBLIC_KEY: (await server.key({ view: "public" })).key,
    };
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    client[Symbol.dispose]();
  });

  test("holds what was built, a README and a licence, and depends on nothing", async () => {
    const root = `${client.folder.path}/node_modules/vitrine-client`;
    const files = [...new Bun.Glob("**/*").scanSync({ cwd: root })].sort();
    const built = files.filter((file) => file.startsWith("dist/"));
    expect(built.every((file) => /\.(?:js|d\.ts)$/.test(file))).toBe(true);
    expect(built).toContain("dist/index.js");
    expect(built).toContain("dist/index.d.ts");
    expect(files.filter((file) => !built.includes(file))).toEqual(["LICENSE", "README.md", "package.json"]);
    const manifest = (await Bun.file(`${root}/package.json`).json()) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((field) => /dependencies/i.test(field))).toEqual([]);
  });

  test("has no script for npm to run, or to ask about, where it is installed", async () => {
    const root = `${client.folder.path}/node_modules/vitrine-client`;
    const { scripts } = (await Bun.file(`${root}/package.json`).json()) as { scripts: object };
    expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  });

  test("uses nothing that only some runtimes have", async () => {
    const root = `${client.folder.path}/node_modules/vitrine-client/dist`;
    for (const file of new Bun.Glob("*.js").scanSync({ cwd: root })) {
      const source = await Bun.file(`${root}/${file}`).text();
      const code = source.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
      expect({ file, found: NOT_EVERYWHERE.exec(code)?.[0] }).toEqual({ file, found: undefined });
    }
  });

  test("has nothing that publint objects to", async () => {
    const said = await run([tool("publint"), "run", client.tarball, "--strict"], { cwd: client.folder.path });
    expect(said).toContain("All good!");
  });

  test("has types that are right for every way to import it (arethetypeswrong)", async () => {
    const said = await run([tool("attw"), client.tarball, "--profile", "esm-only", "--format", "json"], {
      cwd: client.folder.path,
    });
    const { analysis } = JSON.parse(said) as { analysis: { types: unknown; problems: { kind: string }[] } };
    expect(analysis.types).toEqual({ kind: "included" });
    // What is left says that a package of ES modules is one.
    const kinds = new Set(analysis.problems.map(({ kind }) => kind));
    expect([...kinds]).toEqual(["CJSResolvesToESM"]);
  });

  test("has types that stand alone and know what may be null, also in the examples of its README", async () => {
    const source = `
      import { publicProfile, vitrine, type FullUser, type PublicProfile } from "vitrine-client";
      const full: FullUser = await vitrine({ url: "https://vitrine.example", key: "key" }).full();
      const shown: PublicProfile | null = publicProfile(full);
      export const name: string | null = shown?.profile.name ?? null;
      // @ts-expect-error a value may be null
      export const summary: string = full.profile.summary.value;
      // @ts-expect-error what may be shown has no e-mail address
      export const email = shown?.email;
      // @ts-expect-error nor whose job it is
      export const userId = shown?.jobs[0].userId;
    `;
    await Bun.write(client.folder.file("consumer.ts"), source);
    const examples = fencesOf(readFile("client/README.md"), "js").map(async (example, index) => {
      const file = `example-${index + 1}.ts`;
      await Bun.write(client.folder.file(file), `${PROCESS}${example}\nexport {};\n`);
      return file;
    });
    const options = "--noEmit --strict --target es2022 --lib es2022,dom --module nodenext --types".split(" ");
    const sources = ["consumer.ts", ...(await Promise.all(examples))];
    await run([tool("tsc"), ...options, "", ...sources], { cwd: client.folder.path });
  });

  test("is installed as its README and the main one say, from a file of this name", () => {
    for (const readme of ["client/README.md", "README.md"])
      expect(readFile(readme)).toContain(`/${client.tarball.split("/").at(-1)}\n`);
  });

  describe.each(RUNTIMES)("on $name", ({ command }) => {
    test("reads everything that the server has, and asks again with the tag", async () => {
      const seen = JSON.parse(await client.run(command, READ_EVERYTHING, environment)) as Record<
        string,
        unknown
      >;
      const { byKind, bySlug } = answersOf(await server.record());
      expect(seen).toEqual({
        full: byKind.full.json,
        again: byKind.full.json,
        linkTrees: byKind.linktrees.json,
        linkTree: bySlug.get("everything-1")?.json,
        links: byKind.links.json,
        jobs: byKind.jobs.json,
        projects: byKind.projects.json,
        education: byKind.education.json,
        resume: byKind.resume.json,
        name: "Person 1",
        missing: {
          isVitrineError: true,
          name: "VitrineError",
          statusCode: 404,
          code: "tree_not_found",
          message: "Link tree not found",
          error: "Not Found",
          requestId: expect.any(String),
        },
      });
      const statuses = server
        .logged()
        .filter(({ route }) => route === "/user/full")
        .map(({ status }) => status);
      expect(statuses.slice(-2)).toEqual([200, 304]);
    });

    test("says why there is no answer", async () => {
      const reasons: unknown = JSON.parse(await client.run(command, FAIL_TO_CONNECT, environment));
      expect(reasons).toEqual({ dns: "dns", refused: "refused", lost: "lost", tls: "tls" });
    });

    test.each(fencesOf(readFile("client/README.md"), "js").map((source, index) => [index + 1, source]))(
      "runs example %d of its README",
      async (_, source) => {
        const printed = await client.run(command, String(source), environment);
        expect(printed).toContain("Person 1");
      },
    );
  });
});
