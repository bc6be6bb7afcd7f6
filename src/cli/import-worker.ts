import type { DatabaseLocation } from "../store/database-url.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { perform, type Task } from "./import/tasks.ts";

/** A thread of an import. The first message says where the database is; each further one is a task. */
declare const self: Worker;

let store: Promise<Store> | undefined;

self.onmessage = async ({ data }: MessageEvent<DatabaseLocation | Task>) => {
  if (!store) {
    store = openStore(data as DatabaseLocation);
    return;
  }
  try {
    self.postMessage({ result: await perform(data as Task, await store) });
  } catch (error) {
    self.postMessage({ failure: (error as Error).message });
  }
};
