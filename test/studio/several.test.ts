import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { LIMIT_WINDOW_SECONDS } from "../../src/contract/routes.ts";
import { RedisWindow } from "../../src/limits/redis-window.ts";
import { STUDIO_LIMITS } from "../../src/studio/steps/limit.ts";
import { databaseAt, ENGINES, postgres } from "../support/engines.ts";
import { PostgresCluster } from "../support/postgres-cluster.ts";
import { describeWithRedis } from "../support/redis.ts";
import { startTestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

describeWithRedis("two studios on one Redis", (redis) => {
  test("count sign-ins together, and each tells whom it refuses when it goes on", async () => {
    const { url } = await redis();
    await using stack = new AsyncDisposableStack();
    const studios = await Promise.all(
      [1, 2].map(async () => {
        // Without what counts alone where Redis is slow, which it may be on a busy machine.
        const limiter = await RedisWindow.connect(url, LIMIT_WINDOW_SECONDS);
        stack.defer(() => limiter.close());
        return stack.use(await startTestStudio({ limiter }));
      }),
    );
    const tries = await Promise.all(
      Array.from({ length: STUDIO_LIMITS["sign-ins"] + 6 }, async (_, index) => {
        const response = await studios[index % 2]?.call("enterByLink", { body: { secret: "wrong" } });
        return { status: response?.status, wait: Number(response?.headers.get("Retry-After")) };
      }),
    );
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    for (const { wait } of refused) expect(wait).toBeWithin(1, LIMIT_WINDOW_SECONDS + 1);
  });
});

if (ENGINES.includes(postgres)) {
  /** A studio on a server that a test may stop, and a read that needs that. */
  async function startOn(cluster: PostgresCluster) {
    cluster.createDatabase("vitrine");
    const create = async () => databaseAt(cluster.urlOf("vitrine"), async () => {});
    const studio = await startTestStudio({ engine: { name: "a server of its own", create } });
    const as = await studio.enterAsOwner();
    const params = { user: (await studio.record()).id };
    return Object.assign(studio, { show: () => studio.call("showRecord", { as, params }) });
  }

  describe("a studio whose PostgreSQL is away", () => {
    test("answers 503 in words, and goes on when it is back", async () => {
      await using cluster = await PostgresCluster.start();
      await using studio = await startOn(cluster);
      await cluster.stop();
      const answer = await studio.show();
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
      expect(await answer.json()).toMatchObject({ fault: "unavailable" });
      expect(studio.logged().at(-1)).toMatchObject({ level: "error", message: "storage is unavailable" });
      await cluster.start();
      expect((await studio.show()).status).toBe(200);
    });
  });

  describe("a studio whose PostgreSQL stands still", () => {
    test("answers 503 in words, and goes on where the database does", async () => {
      await using cluster = await PostgresCluster.start();
      await using studio = await startOn(cluster);
      const { show } = studio;
      cluster.freeze();
      const answers = await Promise.all([show(), show()]);
      cluster.thaw();
      for (const answer of answers) {
        expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
        expect(await answer.json()).toMatchObject({ fault: "unavailable" });
      }
      expect((await show()).status).toBe(200);
    });
  });
}
