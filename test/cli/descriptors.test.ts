import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { FROM_SOURCE, Program } from "../support/program.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const MAX_DESCRIPTORS = 128;

/** From source, where the description of the API is a file of its own. The executable has it in itself. */
const LIMITED = ["sh", "-c", `ulimit -n ${MAX_DESCRIPTORS}; exec "$@"`, "sh", ...FROM_SOURCE];

const OPENAPI = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

test.skipIf(process.platform !== "linux")(
  "what could not be read while no file could be opened is read when it is next asked for",
  async () => {
    using program = new Program({}, LIMITED);
    await using server = await program.serve();
    const descriptors = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
    using connection = await RawConnection.to(server.url);
    await connection.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    {
      using crowd = new DisposableStack();
      for (let count = 0; count < MAX_DESCRIPTORS; count++) crowd.use(await RawConnection.to(server.url));
      await until("every descriptor in use", () => descriptors() >= MAX_DESCRIPTORS);
      expect((await connection.ask(OPENAPI)).status).toBe(500);
    }
    await until("descriptors to spare", () => descriptors() < MAX_DESCRIPTORS / 2);
    const { status, headers } = await connection.ask(OPENAPI);
    expect(status).toBe(200);
    expect(Number(headers.get("content-length"))).toBeGreaterThan(10_000);
  },
);
