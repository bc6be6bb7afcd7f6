import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Opens something in a folder that is gone when this returns: what is open has no name, and ends with the process. */
export function openNameless<Opened>(open: (folder: string) => Opened): Opened {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-import-"));
  try {
    return open(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The descriptor of an empty file without a name. */
export function openTemporaryFile(): number {
  return openNameless((folder) => openSync(join(folder, "file"), "wx+", 0o600));
}
