import { refuseDamaged } from "../damaged.ts";
import { type DatabaseOption, withStore } from "../database.ts";
import { plural, print } from "../output.ts";
import { compileAll, KEPT } from "./migrate.ts";

export async function rebuild(options: DatabaseOption): Promise<void> {
  await withStore(options.database, async (store) => {
    await store.upkeep.outdateAll();
    const { compiled, damaged } = await compileAll(store, "Rebuilding");
    print(`Rebuilt the documents of ${plural(compiled, "user")} from their records.`);
    refuseDamaged(damaged, KEPT);
  });
}
