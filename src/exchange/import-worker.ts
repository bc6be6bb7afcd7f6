import type { WorkerAnswer } from "../async/answering-worker.ts";
import { engineAt } from "../store/engines.ts";
import { planForNobody } from "../store/save/batch.ts";
import type { Store } from "../store/store.ts";
import type { Assignment } from "./crew.ts";
import { valuesOf } from "./parts.ts";
import { planPart } from "./plan-part.ts";

/** A thread of an import. Each message is an assignment, and is answered in its turn. */
declare const self: Worker;

let store: Promise<Store> | undefined;
let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<Assignment>) => {
  last = last.then(() => answer(data));
};

async function answer(assignment: Assignment): Promise<void> {
  try {
    const { result, bytes } = await resultOf(assignment);
    self.postMessage({ result } satisfies WorkerAnswer, bytes ? [bytes.buffer] : []);
  } catch (error) {
    self.postMessage({ failure: (error as Error).message } satisfies WorkerAnswer);
  }
}

/** The result, and the bytes in it, which are handed over and not copied. */
async function resultOf(assignment: Assignment) {
  const { content, database, isDryRun } = assignment;
  if (database) store ??= engineAt(database).then((engine) => engine.open());
  const opened = await store;
  const plan = opened ? opened.records.plan.bind(opened.records) : planForNobody;
  const result = await planPart(valuesOf(content), plan, isDryRun);
  return { result, bytes: result.parcel?.bytes };
}
