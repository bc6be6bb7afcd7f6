import type { WorkerAnswer } from "../../async/answering-worker.ts";
import { openUntouched } from "./connection.ts";

/** The thread that copies a database. Each message is answered when its copy is written. */
declare const self: Worker;

export interface BackupTask {
  readonly from: string;
  readonly to: string;
}

self.onmessage = ({ data: { from, to } }: MessageEvent<BackupTask>) => {
  let answer: WorkerAnswer = {};
  try {
    using database = openUntouched(from);
    database.prepare("VACUUM INTO ?").run(to);
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  self.postMessage(answer);
};
