import { styleText } from "node:util";
import { parse } from "yaml";
import sampleProfile from "../../../sample/profile.yaml" with { type: "text" };
import { hashKey, mintKey } from "../../keys/key.ts";
import { checkRecord } from "../../records/schema.ts";
import type { Settings } from "../../settings.ts";
import { describeDatabase } from "../../store/database-url.ts";
import { withNewStore } from "../database.ts";
import { plural, print } from "../output.ts";
import { serve } from "./serve.ts";

/** `serve` for a first look: on an empty database there is a sample profile, and a key to read it with. */
export async function demo(settings: Settings): Promise<void> {
  const welcome = await withNewStore(settings.database, async (store) => {
    const users = await store.countUsers();
    if (users > 0) return (url: string) => greetAgain(url, settings, users);

    const checked = checkRecord(parse(sampleProfile as unknown as string));
    if ("problems" in checked)
      throw new Error(`the sample profile is wrong: ${JSON.stringify(checked.problems)}`);
    const key = mintKey();
    await store.save([checked.input]);
    await store.createKeys([
      { email: checked.input.email, hash: hashKey(key), name: "first look", expiresAt: null },
    ]);
    return (url: string) => greet(url, settings, checked.input.email, key);
  });
  await serve(settings, welcome);
}

function greet(url: string, settings: Settings, email: string, key: string): void {
  print(`
${styleText("bold", "Vitrine")} is serving a sample profile at ${styleText("cyan", url)}

  The key of ${email}, shown this once:

    ${styleText("bold", key)}

  Read the whole profile:

    curl -H "Authorization: Bearer ${key}" ${url}/user/full

  Try every request in a browser: ${url}/docs
  See a link tree as its visitors do: ${url}/t/mira

  The data is in ${describeDatabase(settings.database)}. Load your own with: npx vitrine import FILE
  Stop with Ctrl+C.
`);
}

function greetAgain(url: string, settings: Settings, users: number): void {
  print(`
${styleText("bold", "Vitrine")} is serving ${plural(users, "user")} from ${describeDatabase(settings.database)} at ${styleText("cyan", url)}

  Keys made earlier go on working. For another one:

    npx vitrine user list
    npx vitrine key create EMAIL

  Stop with Ctrl+C.
`);
}
