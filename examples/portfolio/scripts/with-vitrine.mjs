// Runs a command with a Vitrine server to read from: the one that VITRINE_URL names, in the environment or in .env,
// or, where neither that nor VITRINE_KEY is set, one with the sample profile, which is started from this checkout and
// is gone when the command ends.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));

/** The demo prints whose profile it serves, and a line to try it with. */
const PRINTED = /The key of (\S+),.+Bearer \w+" (\S+)\/user\/full/s;

if (existsSync(".env")) process.loadEnvFile(".env");
const [command, ...args] = process.argv.slice(2);
buildClient();
// One that is set to nothing, as by a secret that a workflow does not get, is no wish to publish the sample.
const isSet = process.env.VITRINE_URL !== undefined || process.env.VITRINE_KEY !== undefined;
const demo = isSet ? undefined : await startDemo();

const child = spawn(command, args, {
  stdio: "inherit",
  env: { ASTRO_TELEMETRY_DISABLED: "1", ...process.env, ...demo?.environment },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => fail(error.message, "npm ci"));
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  demo?.server.kill();
});

/** Unless it is there, and younger than all that it is built from. */
function buildClient() {
  const client = join(CHECKOUT, "client");
  const built = statSync(join(client, "dist", "index.js"), { throwIfNoEntry: false });
  const sources = readdirSync(join(client, "src")).map((file) => statSync(join(client, "src", file)));
  if (built && sources.every(({ mtimeMs }) => mtimeMs < built.mtimeMs)) return;
  execFileSync(checkoutTool("tsc"), ["-p", client], { stdio: "inherit" });
}

async function startDemo() {
  const bun = checkoutTool("bun");
  const folder = mkdtempSync(join(tmpdir(), "vitrine-portfolio-"));
  const database = `sqlite:${join(folder, "vitrine.db")}`;
  const server = spawn(
    bun,
    ["src/cli/main.ts", "demo", "--port", "0", "--log-level", "warn", "--database", database],
    { cwd: CHECKOUT, stdio: ["ignore", "pipe", "inherit"] },
  );
  // However this ends: with the command, with a command that is not there, or with a failure here.
  process.on("exit", () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  let printed = "";
  const [, email, url] = await new Promise((resolve) => {
    server.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
      const found = PRINTED.exec(printed);
      if (found) resolve(found);
    });
    server.on("exit", () => resolve([]));
  });
  if (!url) fail("the demo server did not start", "npm start in the checkout, to see why");
  const create = ["src/cli/main.ts", "key", "create", email, "--view", "public", "--database", database];
  const key = execFileSync(bun, create, { cwd: CHECKOUT, encoding: "utf8" }).trim();
  console.log("Showing the sample profile. For your own, set VITRINE_URL and VITRINE_KEY in .env.\n");
  return { server, environment: { VITRINE_URL: url, VITRINE_KEY: key } };
}

function checkoutTool(name) {
  const path = join(CHECKOUT, "node_modules", ".bin", name);
  if (!existsSync(path))
    fail("the checkout around this example is not installed", `npm ci --prefix ${CHECKOUT}`);
  return path;
}

function fail(reason, remedy) {
  console.error(`Error: ${reason}\nTry: ${remedy}`);
  process.exit(1);
}
