import type { WorkerAnswer } from "../async/answering-worker.ts";
import { engineAt } from "../store/engines.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { Store } from "../store/store.ts";

/**
 * The thread that compiles outdated documents. The first message says where, and is answered with how many users
 * there are; each of the others with what became of the next few.
 */
declare const self: Worker;

export type CompileMessage = { readonly open: DatabaseLocation } | { readonly next: true };

let store: Store | undefined;

self.onmessage = async ({ data }: MessageEvent<CompileMessage>) => {
  let answer: WorkerAnswer;
  try {
    if ("open" in data) {
      const engine = await engineAt(data.open);
      store = await engine.open();
      answer = { result: await store.upkeep.outdated() };
    } else answer = { result: await store?.upkeep.compileNext() };
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  self.postMessage(answer);
};
