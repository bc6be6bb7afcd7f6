import { expect, setDefaultTimeout, test } from "bun:test";
import { parsePostgresUrl } from "../../src/store/location.ts";
import { RenewedConnection } from "../../src/store/postgres/renewed-connection.ts";

setDefaultTimeout(60_000);

test("a connection that is closed runs nothing more of what waits for a database that hangs", async () => {
  let opened = 0;
  using hanging = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: () => void opened++, data: () => {} },
  });
  const location = parsePostgresUrl(`postgres://vitrine@127.0.0.1:${hanging.port}/vitrine`);
  if (!location) throw new Error("no location");
  const connection = new RenewedConnection(location);
  const waiting = Array.from({ length: 5 }, () => connection.run("SELECT 1", []));
  await connection.close();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(opened).toBeLessThan(2);
});
