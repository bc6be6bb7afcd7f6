/**
 * Makes the fixture of a release, in whose checkout it is run: `bun …/record.ts FOLDER`. DATABASE_URL names an empty
 * PostgreSQL database, which is left with a copy. README.md says more.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { askEverything, numbersOf, type RecordedKey } from "./fixture.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const [target] = Bun.argv.slice(2);
const { DATABASE_URL: postgres } = process.env;
if (!target || !postgres) throw new Error("say where, and name a PostgreSQL database in DATABASE_URL");
const release = process.cwd();
const work = mkdtempSync(join(tmpdir(), "vitrine-record-"));
const environment = { PATH: process.env.PATH ?? "", DATABASE_URL: `sqlite:${work}/vitrine.db` };

function vitrine(...args: readonly string[]): string {
  const command = [process.execPath, `${release}/src/cli/main.ts`, ...args];
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: work, env: environment });
  if (!success) throw new Error(`vitrine ${args.join(" ")} failed: ${stderr}`);
  return stdout.toString().trim();
}

vitrine("import", `${release}/sample/profile.yaml`, `${import.meta.dir}/people.json`);
const users = vitrine("user", "list", "--json")
  .split("\n")
  .map((line) => (JSON.parse(line) as { email: string }).email);
const made: { email: string; name: string; key: string }[] = [];
const KINDS = {
  first: [],
  revoked: [],
  lasting: ["--expires", "2999-01-01"],
  public: ["--view", "public"],
  confined: ["--only", "jobs,linktrees"],
};
for (const email of users)
  for (const [name, flags] of Object.entries(KINDS)) {
    made.push({ email, name, key: vitrine("key", "create", email, "--name", name, ...flags) });
    const listed = JSON.parse(vitrine("key", "list", email, "--json")) as { id: string; name: string }[];
    const id = listed.find((key) => key.name === name)?.id ?? "";
    if (name === "revoked") vitrine("key", "revoke", id);
  }

const server = Bun.spawn([process.execPath, `${release}/src/cli/main.ts`, "serve", "--port", "0"], {
  cwd: work,
  env: environment,
  stdout: "pipe",
});
const [first] = (await new Response(server.stdout.pipeThrough(untilListening())).text()).split("\n");
const { url } = JSON.parse(first ?? "") as { url: string };
const keys: RecordedKey[] = [];
for (const key of made) keys.push({ ...key, answers: await askEverything(url, key.key) });
for (let visit = 0; visit < 5; visit++) {
  const headers = { "User-Agent": BROWSER, Accept: "text/html" };
  const page = await (await fetch(`${url}/t/ada`, { headers })).text();
  await fetch(`${url}/t/mira`, { headers });
  const [link = ""] = /\/t\/ada\/[\w-]+/.exec(page) ?? [];
  if (visit < 3) await fetch(url + link, { headers, redirect: "manual" });
}
server.kill("SIGTERM");
await server.exited;

mkdirSync(target, { recursive: true });
vitrine("backup", `${work}/backup.db`);
const file = await Bun.file(`${work}/backup.db`).bytes();
await Bun.write(`${target}/vitrine.db.gz`, Bun.gzipSync(new Uint8Array(file), { level: 9 }));
vitrine("copy", "--from", `sqlite:${work}/vitrine.db`, "--to", postgres);
const dump = Bun.spawnSync([
  "pg_dump",
  "--inserts",
  "--no-owner",
  "--no-privileges",
  "--schema=vitrine",
  postgres,
]);
if (!dump.success) throw new Error(`pg_dump failed: ${dump.stderr}`);
// Without what only psql understands, so that any client can load it.
const statements = dump.stdout.toString().replace(/^\\.*\n/gm, "");
await Bun.write(`${target}/vitrine.sql.gz`, Bun.gzipSync(Buffer.from(statements), { level: 9 }));
await bundle("src/cli/main.ts", "program.js");
for (const thread of new Bun.Glob("serving/*-worker.ts").scanSync(`${release}/src`))
  await bundle(`src/${thread}`, thread);
const stats = Object.fromEntries(users.map((email) => [email, numbersOf(vitrine("stats", email, "--json"))]));
const { version } = (await Bun.file(`${release}/package.json`).json()) as { version: string };
const recorded = { version, day: new Date().toISOString().slice(0, 10), users, keys, stats };
await Bun.write(`${target}/answers.json`, `${JSON.stringify(recorded, null, 1)}\n`);
rmSync(work, { recursive: true });

/** Puts a part of the release, with all the code that it imports, into one file. */
async function bundle(entry: string, name: string): Promise<void> {
  const command = [process.execPath, "build", "--target=bun", "--minify", "--outdir", `${work}/bundle`];
  const { success, stderr } = Bun.spawnSync([...command, `${release}/${entry}`], { cwd: release });
  if (!success) throw new Error(`${entry} could not be bundled: ${stderr}`);
  const code = await Bun.file(`${work}/bundle/${basename(entry, ".ts")}.js`).bytes();
  await Bun.write(`${target}/${name}.gz`, Bun.gzipSync(new Uint8Array(code), { level: 9 }));
}

/** Ends with the line that says where the server listens. */
function untilListening(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      if (new TextDecoder().decode(chunk).includes("listening")) controller.terminate();
    },
  });
}
