import { expect, setDefaultTimeout, test } from "bun:test";
import { Callers } from "../support/callers.ts";
import { done, ndjson, withKey } from "../support/command-line.ts";
import { postgres } from "../support/engines.ts";
import { describeWithPostgresTools } from "../support/postgres-tools.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const CALLERS = 8;
const REQUESTS_AROUND = 100;

describeWithPostgresTools("a dump of PostgreSQL's", ({ dump, restore }) => {
  test("is restored beside a running server, as the guide says, and no good key is turned away", async () => {
    await using database = await postgres.create();
    using program = new Program({ DATABASE_URL: database.url, LIMIT_DEFAULT: "1000000" });
    const everybody = async () => (await done(program, ["user", "list", "--json"])).split("\n").length;
    await done(program, ["import", "-"], ndjson([writtenRecord(1)]));
    const key = await done(program, ["key", "create", writtenRecord(1).email]);
    expect(await program.runScript(dump)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    await done(program, ["import", "-"], ndjson([writtenRecord(2)]));
    expect(await everybody()).toBe(2);

    await using server = await program.serve();
    await using callers = new Callers(
      CALLERS,
      async () => (await fetch(`${server.url}/user/links`, withKey(key))).status,
    );
    await callers.more(REQUESTS_AROUND);
    expect(await program.runScript(restore)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    await callers.more(REQUESTS_AROUND);

    expect((await callers.stop()).filter((status) => status !== 503)).toEqual([200]);
    expect((await fetch(`${server.url}/user/links`, withKey(key))).status).toBe(200);
    expect(await everybody()).toBe(1);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });
});
