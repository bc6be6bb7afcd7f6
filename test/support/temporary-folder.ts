import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder that is gone when the test is over, passed or failed. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "vitrine-test-"));

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
