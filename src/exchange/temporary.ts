import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Thrown where the temporary folder is not there, is full or may not be written to. */
export class CannotPutAside extends Error {
  override readonly name = "CannotPutAside";

  constructor(cause: unknown) {
    const { message } = cause as Error;
    super(`cannot write to the temporary folder ${tmpdir()}: ${message}`, { cause });
  }
}

/** Does what writes to something temporary, whose own errors do not name the folder. */
export function puttingAside<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new CannotPutAside(error);
  }
}

/** Opens something in a folder that is gone when this returns: what is open has no name, and ends with the process. */
export function openNameless<Opened>(open: (folder: string) => Opened): Opened {
  return puttingAside(() => {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-import-"));
    try {
      return open(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** The descriptor of an empty file without a name. */
export function openTemporaryFile(): number {
  return openNameless((folder) => openSync(join(folder, "file"), "wx+", 0o600));
}
