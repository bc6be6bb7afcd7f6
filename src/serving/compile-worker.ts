import { answerOf } from "../async/answering-worker.ts";
import { engineAt } from "../store/engines.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { CompiledStep, Store } from "../store/store.ts";

/**
 * The thread that compiles outdated documents. The first message says where, and is answered with how many users
 * there are; each of the others with what became of the next few.
 */
declare const self: Worker;

export type CompileMessage = { readonly open: DatabaseLocation } | { readonly next: true };

let store: Store | undefined;

self.onmessage = async ({ data }: MessageEvent<CompileMessage>) => {
  self.postMessage(await answerOf(() => resultOf(data)));
};

async function resultOf(message: CompileMessage): Promise<number | CompiledStep | undefined> {
  if (!("open" in message)) return store?.upkeep.compileNext();
  store = await (await engineAt(message.open)).open();
  return store.upkeep.outdated();
}
