import { answerOf } from "../../async/answering-worker.ts";
import { openUntouched } from "./connection.ts";

/** The thread that copies a database. Each message is answered when its copy is written. */
declare const self: Worker;

export interface BackupTask {
  readonly from: string;
  readonly to: string;
}

self.onmessage = async ({ data }: MessageEvent<BackupTask>) => {
  self.postMessage(await answerOf(() => copy(data)));
};

function copy({ from, to }: BackupTask): void {
  using database = openUntouched(from);
  database.prepare("VACUUM INTO ?").run(to);
}
