import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { manyPeople } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

if (ENGINES.includes(postgres)) {
  describe("an import into a PostgreSQL that stands still", () => {
    test("says on a terminal what it waits for, and goes on when it is answered", async () => {
      await using service = await startPostgresService();
      const { cluster, program } = service;
      const file = await program.put("people.ndjson", manyPeople(1200, 10));
      const { screen, exitCode } = await program.runOnTerminal(["import", file], {
        question: "Checking",
        answer: async (shown) => {
          cluster.freeze();
          await until("the command to say that it waits", () =>
            shown().includes("waiting for the database ("),
          );
          cluster.thaw();
          return "";
        },
      });
      expect(screen).toContain("waiting for the database (");
      expect(screen).toContain("1,200 records: 1,200 created");
      expect(exitCode).toBe(0);
    });
  });
}
