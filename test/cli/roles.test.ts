import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { done, expectRefusal, withKey } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

const [GRANTS = ""] = fencesOf(sectionOf(readFile("docs/operations.md"), "Two roles"), "sql");

if (ENGINES.includes(postgres)) {
  describe("a role with the rights that the documentation lists", () => {
    test("can serve and count, and can neither write a record nor change the schema", async () => {
      await using service = await startPostgresService();
      const { cluster, program, key } = service;
      const admin = cluster.connect("vitrine");
      await admin.unsafe(GRANTS).simple();
      await admin.close();
      const asServer = { DATABASE_URL: service.url.replace("vitrine@", "web@") };

      await using server = await program.serve(["serve", "--no-migrate"], asServer);
      expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
      expect((await fetch(`${server.url}/t/everything-1`, { headers: PERSON })).status).toBe(200);
      await until("a preview picture", async () => {
        const response = await fetch(`${server.url}/preview/t/everything-1/any.png`);
        return response.status === 200;
      });
      expect(await server.stop()).toBe(0);
      expect(server.output()).not.toMatch(/"level":"(?:warn|error)"/);
      const { email } = writtenRecord(1);
      expect(JSON.parse(await done(program, ["stats", email, "--json"]))).toMatchObject({ views: 1 });
      const [{ lastUsedAt }] = JSON.parse(await done(program, ["key", "list", email, "--json"]));
      expect(lastUsedAt).not.toBeNull();

      const deletion = await program.run(["user", "delete", email, "--yes"], undefined, asServer);
      expectRefusal(deletion, { error: /permission denied/, remedy: /the role that owns the schema/ });
    });

    test("and one that has none of them is told so by the doctor, and not to look for a file", async () => {
      await using service = await startPostgresService();
      const { cluster, program } = service;
      const admin = cluster.connect("vitrine");
      await admin.unsafe("CREATE ROLE stranger LOGIN");
      await admin.close();
      const asStranger = { DATABASE_URL: service.url.replace("vitrine@", "stranger@") };
      const { exitCode, stdout } = await program.run(["doctor"], undefined, asStranger);
      expect(exitCode).toBe(1);
      expect(stdout).toContain("permission denied for schema vitrine");
      expect(stdout).toContain("→ name the role that owns the schema vitrine in DATABASE_URL, or grant");
    });

    test("but for the table of servers counts all the same, and says what it lacks", async () => {
      await using service = await startPostgresService();
      const { cluster, program } = service;
      const admin = cluster.connect("vitrine");
      await admin.unsafe(GRANTS).simple();
      await admin.unsafe("REVOKE ALL ON vitrine.instances FROM web");
      await admin.close();
      const asServer = { DATABASE_URL: service.url.replace("vitrine@", "web@") };
      await using server = await program.serve(["serve", "--no-migrate"], asServer);
      await until("it to say so", () => server.output().includes("may not be noted in the database"));
      expect((await fetch(`${server.url}/t/everything-1`, { headers: PERSON })).status).toBe(200);
      const { email } = writtenRecord(1);
      expect(JSON.parse(await done(program, ["stats", email, "--json"]))).toMatchObject({ views: 1 });
      expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ready" });
      expect(await server.stop()).toBe(0);
    });
  });
}
