import type { DatabaseLocation } from "../../store/database-url.ts";
import { withStore } from "../database.ts";
import { plural, print } from "../output.ts";
import { ProgressBar } from "../progress.ts";

export async function rebuild(options: { database: DatabaseLocation }): Promise<void> {
  await withStore(options.database, async (store) => {
    const bar = new ProgressBar("Rebuilding");
    const users = await store.rebuild(({ done, total }) =>
      bar.update(done, total, () => plural(done, "user")),
    );
    bar.end();
    print(`Rebuilt the documents of ${plural(users, "user")} from their records.`);
  });
}
