import { AnsweringWorker } from "../async/answering-worker.ts";
import { withDeadline } from "../async/maybe-promise.ts";
import { THREADS } from "../threads.ts";
import { StudioFault } from "./faults.ts";

/** What is in a file: the value that may be a record, or why there is none. */
export type FileContent = { readonly value: unknown } | { readonly problem: string };

/** The longest that reading a file may take. One of 5,000 links takes a second, and many times that on a busy machine. */
const READING_MS = 15_000;

let last: Promise<unknown> = Promise.resolve();

/** Reads a file of somebody's while others are answered. One at a time, because one can take hundreds of megabytes. */
export function readFile(bytes: Uint8Array, milliseconds = READING_MS): Promise<FileContent> {
  const content = last.then(() => readOnThread(bytes, milliseconds));
  last = content.catch(() => {});
  return content;
}

/** The thread ends with the file, also where it is not yet read: some are made to take for ever. */
async function readOnThread(bytes: Uint8Array, milliseconds: number): Promise<FileContent> {
  const thread = new AnsweringWorker(THREADS.file);
  const late = () => new StudioFault("too-large", "The file takes too long to read.");
  try {
    return (await withDeadline(thread.ask(bytes), milliseconds, late)) as FileContent;
  } finally {
    thread.end();
  }
}
