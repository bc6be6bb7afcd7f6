import { SETTINGS } from "../src/settings.ts";
import { ask, type Contender, PATHS, startContender, VITRINE } from "./contenders.ts";
import type { Dataset } from "./dataset.ts";

/**
 * Before anything is timed, a contender must give the same answers as Vitrine, refuse who has no key, and hold
 * the limit: it would win by what it left out.
 */
export async function checkAnswers(contender: Contender, data: Dataset): Promise<void> {
  await using vitrine = await startContender(VITRINE, data, {});
  await using server = await startContender(contender, data, {});
  const keys = data.keys();
  const users = contender.checks === "nothing" ? [0] : [0, Math.floor(keys.length / 2), keys.length - 1];
  for (const path of PATHS) {
    for (const user of users) {
      const own = await ask(vitrine.url, path, keys[user]);
      const other = await ask(server.url, path, keys[user]);
      if (other.status !== 200 || !other.headers.get("content-type")?.startsWith("application/json")) {
        throw new Error(`${contender.title} answers ${path} of user ${user + 1} with ${other.status}`);
      }
      if (!Bun.deepEquals(await own.json(), await other.json(), true)) {
        throw new Error(`${contender.title} answers ${path} of user ${user + 1} differently from Vitrine`);
      }
    }
    if (contender.checks === "nothing") continue;
    for (const key of [undefined, "vit_unknown"]) {
      const { status } = await ask(server.url, path, key);
      if (status !== 401) throw new Error(`${contender.title} answers ${path} with ${status} without a key`);
    }
  }
  if (contender.checks !== "key and limit") return;
  const limit = Number(SETTINGS.limitFull.fallback);
  // The first request of this user was made above.
  for (let request = 2; request <= limit + 1; request++) {
    const { status } = await ask(server.url, "/user/full", keys[0]);
    if (status !== (request <= limit ? 200 : 429)) {
      throw new Error(`${contender.title} answers request ${request} of a minute with ${status}`);
    }
  }
}
