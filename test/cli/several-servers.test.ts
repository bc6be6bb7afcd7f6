import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { load } from "../support/command-line.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const SERVE = ["serve", "--metrics-port", "0"];
const WARNING = "other servers run on this database, and without REDIS_URL each counts requests for itself";
const ALONE = "no other server runs on this database any more";

async function others(server: ServingProgram): Promise<number | undefined> {
  return (await readMetrics(metricsUrl(server))).value("vitrine_other_servers");
}

interface Note {
  readonly id: string;
  readonly started: number;
  readonly seen: number;
}

/** The servers that are noted in the database, the newest last. */
async function notes({ database }: Program): Promise<Note[]> {
  const query = "SELECT id, started, seen FROM instances ORDER BY started";
  if (database.engine === "sqlite") {
    const { Database } = await import("bun:sqlite");
    using file = new Database(database.file, { readonly: true });
    return file.query<Note, []>(query).all();
  }
  await using sql = new SQL({ url: database.url, max: 1, connection: { search_path: "vitrine" } });
  return (await sql.unsafe<Note[]>(query)).map(({ id, started, seen }) => ({
    id,
    started: Number(started),
    seen: Number(seen),
  }));
}

/** Waits until the newest server has been noted again after its start, and so has looked for others twice. */
async function hasLookedTwice(program: Program): Promise<void> {
  await until("the server to be noted again", async () => {
    const newest = (await notes(program)).at(-1);
    return newest !== undefined && newest.seen > newest.started;
  });
}

describe("two servers on one database without Redis", () => {
  test("say that each counts for itself, in the log and in the metrics, until one of them stops", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using first = await program.serve(SERVE);
    expect(await others(first)).toBe(0);
    await using second = await program.serve(SERVE);
    for (const server of [second, first]) {
      await until("the warning", () => server.output().includes(WARNING));
      expect(await others(server)).toBe(1);
    }
    expect((await notes(program)).length).toBe(2);

    expect(await first.stop()).toBe(0);
    expect((await notes(program)).length).toBe(1);
    await until("the other to be alone", () => second.output().includes(ALONE));
    expect(await others(second)).toBe(0);
    expect(await second.stop()).toBe(0);
    expect(await notes(program)).toEqual([]);
  });
});

describe("a server that is started again", () => {
  test.each(["SIGTERM", "SIGKILL"] as const)("after %s says nothing of its former self", async (signal) => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using former = await program.serve(SERVE);
    await until("it to be noted", async () => (await notes(program)).length === 1);
    await former.stop(signal);
    expect((await notes(program)).length).toBe(signal === "SIGKILL" ? 1 : 0);

    await using server = await program.serve(SERVE);
    await hasLookedTwice(program);
    expect(await others(server)).toBe(0);
    expect(server.output()).not.toContain(WARNING);
  });
});

describeWithRedis("two servers on one database with Redis", (redis) => {
  test("are nothing to warn about", async () => {
    using program = new Program({ REDIS_URL: (await redis()).url });
    await load(program, writtenRecord(1));
    await using first = await program.serve(SERVE);
    await using second = await program.serve(SERVE);
    await until(
      "each to know of the other",
      async () => (await others(first)) === 1 && (await others(second)) === 1,
    );
    for (const server of [first, second]) expect(server.output()).not.toContain(WARNING);
  });
});
