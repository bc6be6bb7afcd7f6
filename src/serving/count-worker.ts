import type { WorkerAnswer } from "../async/answering-worker.ts";
import type { CountBatch } from "../store/count-writer.ts";
import { engineAt } from "../store/engines.ts";
import type { HookQueue, ServingWriter } from "../store/hook-queue.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { CountMessage, QueueMessage } from "./count-thread.ts";

/**
 * The thread that writes counters, and keeps the queue of announcements, pages and preview pictures. The first message
 * says where; each further one gets one answer.
 */
declare const self: Worker;

let location: DatabaseLocation;
let opened: Promise<ServingWriter> | undefined;

/** A database that could not be opened is tried again with the next write. */
async function writer(): Promise<ServingWriter> {
  opened ??= engineAt(location).then((engine) => engine.openCountWriter());
  try {
    return await opened;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

function askQueue(queue: HookQueue, message: QueueMessage): unknown {
  if ("take" in message) return queue.take(message.take);
  if ("settle" in message) return queue.settle(message.settle);
  return "sweep" in message ? queue.sweep() : queue.numbers();
}

self.onmessage = async ({ data }: MessageEvent<CountMessage>) => {
  if ("open" in data) {
    location = data.open;
    writer().catch(() => {});
    return;
  }
  let answer: WorkerAnswer = {};
  try {
    if ("write" in data) await (await writer()).write(JSON.parse(data.write) as CountBatch);
    else if ("meet" in data) answer = { result: await (await writer()).meet(data.meet) };
    else if ("expiringKeys" in data)
      answer = { result: await (await writer()).expiringKeys(data.expiringKeys) };
    else if ("hooks" in data) answer = { result: await askQueue((await writer()).hooks, data.hooks) };
    else if ("keepPreview" in data) await (await writer()).previews.keep(data.keepPreview);
    else if ("keepRenditions" in data) await (await writer()).renditions.keep(data.keepRenditions);
    else await (await opened)?.close();
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  self.postMessage(answer);
};
