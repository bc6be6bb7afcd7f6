import type { DatabaseLocation } from "../../store/database-url.ts";
import { withStore } from "../database.ts";
import { Misuse, noSuchUser } from "../failure.ts";
import { printJson, write } from "../output.ts";

const CHUNK_CHARACTERS = 256 * 1024;

export async function exportRecords(
  email: string | undefined,
  options: { database: DatabaseLocation; all: boolean },
): Promise<void> {
  if ((email === undefined) === !options.all) {
    throw new Misuse("name one user by e-mail address, or ask for all with --all", "vitrine export --all");
  }
  await withStore(options.database, async (store) => {
    if (email !== undefined) {
      const record = await store.findRecord(email);
      if (!record) throw noSuchUser(email);
      printJson(record);
      return;
    }
    let waiting = "";
    for await (const record of store.records()) {
      waiting += `${JSON.stringify(record)}\n`;
      if (waiting.length < CHUNK_CHARACTERS) continue;
      write(1, waiting);
      waiting = "";
    }
    write(1, waiting);
  });
}
