import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { StoreUnavailable } from "../unavailable.ts";
import { isReadOnly } from "./connection.ts";

/** About what the first connection and a small transaction need. */
const TRIED_BYTES = 64 * 1024;

/** Why nothing can be written to a database, if so. */
export function writeFaultAt(file: string): StoreUnavailable | undefined {
  if (isReadOnly(file)) return readOnly(file);
  try {
    tryBeside(file);
    return undefined;
  } catch (cause) {
    switch ((cause as NodeJS.ErrnoException).code) {
      case "ENOSPC":
      case "EDQUOT":
        return new StoreUnavailable(`the disk of the database ${file} is full`, {
          fault: "no-room",
          file,
          cause,
        });
      case "EROFS":
        return readOnly(file);
      default:
        return new StoreUnavailable(`nothing can be written beside the file: ${(cause as Error).message}`, {
          cause,
        });
    }
  }
}

function readOnly(file: string): StoreUnavailable {
  const message = "the file or its folder is read-only: it can be read, but not written";
  return new StoreUnavailable(message, { fault: "read-only", file });
}

/**
 * Permissions say nothing of a disk that is full, nor of one that takes no writes since it failed: only a file of its
 * own tells, which leaves the database as it is.
 */
function tryBeside(file: string): void {
  const tried = `${file}.${crypto.randomUUID().slice(0, 8)}.tried`;
  const descriptor = openSync(tried, "wx", 0o600);
  try {
    const bytes = Buffer.alloc(TRIED_BYTES);
    // A disk that has room for a part takes that part, and refuses the next.
    for (let written = 0; written < TRIED_BYTES; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(tried, { force: true });
  }
}
