import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { metricsUrl, parseMetrics } from "../support/metrics-page.ts";
import { FROM_SOURCE, Program, type ServingProgram } from "../support/program.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const MAX_DESCRIPTORS = 128;

/** From source, where the description of the API is a file of its own. The executable has it in itself. */
const LIMITED = ["sh", "-c", `ulimit -n ${MAX_DESCRIPTORS}; exec "$@"`, "sh", ...FROM_SOURCE];

const OPENAPI = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

const METRICS = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";

const onLinux = test.skipIf(process.platform !== "linux");

/** Connects so often that the server can open nothing more. */
async function crowd(server: ServingProgram): Promise<DisposableStack> {
  const connections = new DisposableStack();
  for (let count = 0; count < MAX_DESCRIPTORS; count++) connections.use(await RawConnection.to(server.url));
  await until("every descriptor in use", () => descriptors(server) >= MAX_DESCRIPTORS);
  return connections;
}

function descriptors({ child }: ServingProgram): number {
  return readdirSync(`/proc/${child.pid}/fd`).length;
}

onLinux(
  "what could not be read while no file could be opened is read when it is next asked for",
  async () => {
    using program = new Program({}, LIMITED);
    await using server = await program.serve();
    using connection = await RawConnection.to(server.url);
    await connection.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    {
      using _ = await crowd(server);
      expect((await connection.ask(OPENAPI)).status).toBe(500);
    }
    await until("descriptors to spare", () => descriptors(server) < MAX_DESCRIPTORS / 2);
    const { status, headers } = await connection.ask(OPENAPI);
    expect(status).toBe(200);
    expect(Number(headers.get("content-length"))).toBeGreaterThan(10_000);
  },
);

onLinux(
  "while no file can be opened metrics lack what only a file would tell, and nothing else",
  async () => {
    using program = new Program({}, LIMITED);
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    using connection = await RawConnection.to(metricsUrl(server));
    const before = parseMetrics((await connection.ask(METRICS)).body);
    using _ = await crowd(server);
    const { status, body } = await connection.ask(METRICS);
    expect(status).toBe(200);
    const missing = before.types.keys().filter((name) => !parseMetrics(body).types.has(name));
    expect([...missing]).toEqual(["process_resident_memory_bytes", "process_open_fds"]);
  },
);
