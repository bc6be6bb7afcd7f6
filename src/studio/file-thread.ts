import { AnsweringWorker } from "../async/answering-worker.ts";
import { withDeadline } from "../async/maybe-promise.ts";
import { THREADS } from "../threads.ts";
import { StudioFault } from "./faults.ts";

/** What is in a file: the value that may be a record, or why there is none. */
export type FileContent = { readonly value: unknown } | { readonly problem: string };

/** The longest that reading a file may take. One of 5,000 links takes a second, and many times that on a busy machine. */
const READING_MS = 15_000;

/** The longest that writing one may take, and waiting for it: less than a call of the studio may. */
const WRITING_MS = 10_000;

/** Reads a file of somebody's while others are answered. */
export function readFile(
  bytes: Uint8Array,
  account: string,
  milliseconds = READING_MS,
): Promise<FileContent> {
  const late = () => new StudioFault("too-large", "The file takes too long to read.");
  return inTurn(account, () => onThread(bytes, milliseconds, late)) as Promise<FileContent>;
}

/** Makes YAML of a large record while others are answered. */
export async function writeYaml(json: string, account: string, milliseconds = WRITING_MS): Promise<string> {
  const late = () => new StudioFault("too-large", "This takes too long as YAML. Take it as JSON instead.");
  const until = performance.now() + milliseconds;
  const written = inTurn(account, () => onThread(json, Math.max(0, until - performance.now()), late));
  return (await withDeadline(written, milliseconds, late)) as string;
}

/** The last file of each account that has one under way, and the last of all. */
const lastOf = new Map<string, Promise<unknown>>();
let last: Promise<unknown> = Promise.resolve();

/** Joins the line when the account's own file before is done, so that nobody waits for more than one of another's. */
async function inTurn(account: string, work: () => Promise<unknown>): Promise<unknown> {
  const before = lastOf.get(account);
  const done = before ? before.then(() => inLine(work)) : inLine(work);
  const over = done.catch(() => {});
  lastOf.set(account, over);
  try {
    return await done;
  } finally {
    if (lastOf.get(account) === over) lastOf.delete(account);
  }
}

/** One at a time, because one can take hundreds of megabytes. */
function inLine(work: () => Promise<unknown>): Promise<unknown> {
  const done = last.then(work);
  last = done.catch(() => {});
  return done;
}

/**
 * Gives a thread the bytes of a file to read, or the JSON of a record to write as YAML. It ends with the file, also where
 * it is not yet done: some are made to take for ever.
 */
async function onThread(
  work: Uint8Array | string,
  milliseconds: number,
  late: () => StudioFault,
): Promise<unknown> {
  const thread = new AnsweringWorker(THREADS.file);
  try {
    return await withDeadline(thread.ask(work), milliseconds, late);
  } finally {
    thread.end();
  }
}
