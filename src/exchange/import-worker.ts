import { answerOf } from "../async/answering-worker.ts";
import { engineAt } from "../store/engines.ts";
import { planForNobody } from "../store/save/batch.ts";
import type { Store } from "../store/store.ts";
import type { Assignment } from "./crew.ts";
import { valuesOf } from "./parts.ts";
import { type PlannedPart, planPart } from "./plan-part.ts";

/** A thread of an import. Each message is an assignment, and is answered in its turn. */
declare const self: Worker;

let store: Promise<Store> | undefined;
let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<Assignment>) => {
  last = last.then(() => answer(data));
};

async function answer(assignment: Assignment): Promise<void> {
  const said = await answerOf(() => planned(assignment));
  // The bytes in it are handed over, and not copied.
  const bytes = (said.result as PlannedPart | undefined)?.parcel?.bytes;
  self.postMessage(said, bytes ? [bytes.buffer] : []);
}

async function planned({ content, database, isDryRun }: Assignment): Promise<PlannedPart> {
  if (database) store ??= engineAt(database).then((engine) => engine.open());
  const opened = await store;
  const plan = opened ? opened.records.plan.bind(opened.records) : planForNobody;
  return planPart(valuesOf(content), plan, isDryRun);
}
