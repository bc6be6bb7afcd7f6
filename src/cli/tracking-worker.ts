import type { DatabaseLocation } from "../store/database-url.ts";
import { openTrackingWriter } from "../store/open.ts";
import type { TrackingBatch, TrackingWriter } from "../store/tracking-writer.ts";
import type { WorkerAnswer } from "./answering-worker.ts";
import type { TrackingMessage } from "./tracking-thread.ts";

/** The thread that writes counters. The first message says where; each further one gets one answer. */
declare const self: Worker;

let location: DatabaseLocation;
let opened: Promise<TrackingWriter> | undefined;

/** A database that could not be opened is tried again with the next write. */
async function writer(): Promise<TrackingWriter> {
  opened ??= openTrackingWriter(location);
  try {
    return await opened;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

self.onmessage = async ({ data }: MessageEvent<TrackingMessage>) => {
  if ("open" in data) {
    location = data.open;
    writer().catch(() => {});
    return;
  }
  let answer: WorkerAnswer = {};
  try {
    if ("write" in data) await (await writer()).write(JSON.parse(data.write) as TrackingBatch);
    else await (await opened)?.close();
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  self.postMessage(answer);
};
