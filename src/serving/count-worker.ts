import { answerOf } from "../async/answering-worker.ts";
import type { CountBatch } from "../store/count-writer.ts";
import { engineAt } from "../store/engines.ts";
import type { ServingWriter } from "../store/hook-queue.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { CountMessage } from "./count-thread.ts";

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

self.onmessage = async ({ data }: MessageEvent<CountMessage>) => {
  if ("open" in data) {
    location = data.open;
    writer().catch(() => {});
  } else self.postMessage(await answerOf(() => resultOf(data)));
};

async function resultOf(message: Exclude<CountMessage, { open: unknown }>): Promise<unknown> {
  if ("close" in message) return (await opened)?.close();
  const counting = await writer();
  if ("write" in message) return counting.write(JSON.parse(message.write) as CountBatch);
  if ("meet" in message) return counting.meet(message.meet);
  if ("expiringKeys" in message) return counting.expiringKeys(message.expiringKeys);
  if ("keepPreview" in message) return counting.previews.keep(message.keepPreview);
  if ("keepRenditions" in message) return counting.renditions.keep(message.keepRenditions);
  if ("takeDeliveries" in message) return counting.hooks.take(message.takeDeliveries);
  if ("settleDelivery" in message) return counting.hooks.settle(message.settleDelivery);
  return "sweepDeliveries" in message ? counting.hooks.sweep() : counting.hooks.numbers();
}
