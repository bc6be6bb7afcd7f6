import type { DatabaseLocation } from "../store/database-url.ts";
import { openStore } from "../store/open.ts";
import { pack } from "../store/parcel.ts";
import type { Store } from "../store/store.ts";
import type { WorkerAnswer } from "./answering-worker.ts";
import { perform } from "./import/tasks.ts";
import type { Assignment, Delivery } from "./import-crew.ts";

/** A thread of an import. Each message is a task, and is answered in its turn. */
declare const self: Worker;

const stores = new Map<string, Promise<Store>>();

function storeAt(location: DatabaseLocation): Promise<Store> {
  const name = JSON.stringify(location);
  const opened = stores.get(name) ?? openStore(location);
  stores.set(name, opened);
  return opened;
}

let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<Assignment>) => {
  last = last.then(() => answer(data));
};

async function answer({ task, location }: Assignment): Promise<void> {
  try {
    const result = await perform(task, () => storeAt(location));
    if (result && "saves" in result) {
      const parcel = pack(result);
      const delivery: Delivery = { parcel };
      self.postMessage({ result: delivery } satisfies WorkerAnswer, [parcel.bytes.buffer]);
    } else self.postMessage({ result } satisfies WorkerAnswer);
  } catch (error) {
    self.postMessage({ failure: (error as Error).message } satisfies WorkerAnswer);
  }
}
