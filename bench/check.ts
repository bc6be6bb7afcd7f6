import { SETTINGS } from "../src/settings.ts";
import { answerTo, ask, type Contender, PATHS, startContender, VITRINE } from "./contenders.ts";
import type { Dataset } from "./dataset.ts";
import { ENCODINGS } from "./load.ts";

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
      const own = await answerTo(vitrine.url, path, keys[user]);
      for (const encoding of ENCODINGS) {
        await using perEncoding = contender.startsPerEncoding
          ? await startContender(contender, data, {}, encoding)
          : undefined;
        const other = await answerTo((perEncoding ?? server).url, path, keys[user], encoding);
        const what = `${path} of user ${user + 1}${encoding === "gzip" ? ", compressed," : ""}`;
        if (other.status !== 200 || !other.headers["content-type"]?.startsWith("application/json")) {
          throw new Error(`${contender.title} answers ${what} with ${other.status}`);
        }
        if (!Bun.deepEquals(parsed(own), parsed(other), true)) {
          throw new Error(`${contender.title} answers ${what} differently from Vitrine`);
        }
        if (encoding === "plain" && other.headers["content-encoding"] !== undefined) {
          throw new Error(`${contender.title} compresses ${what}, which nobody asked for`);
        }
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
  // The first requests of this user were made above.
  for (let request = 1 + ENCODINGS.length; request <= limit + 1; request++) {
    const { status } = await ask(server.url, "/user/full", keys[0]);
    if (status !== (request <= limit ? 200 : 429)) {
      throw new Error(`${contender.title} answers request ${request} of a minute with ${status}`);
    }
  }
}

function parsed({ bytes }: { readonly bytes: Uint8Array }): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
