import type { BackupOptions, Engine } from "./engine.ts";
import { OtherSchema, type SchemaVersion } from "./unavailable.ts";

interface UpgradeOptions {
  /** Whether a copy is taken first, where the engine can make one. */
  readonly copy: boolean;
  readonly backup?: BackupOptions;
  /** Called once a copy is written. */
  readonly onCopy?: (file: string) => void;
}

/**
 * Makes the schema of a database, or brings it up to date. A database that holds something is copied first, so that
 * the way back is open. Returns what was found.
 */
export async function upgradeSchema(engine: Engine, options: UpgradeOptions): Promise<SchemaVersion> {
  const version = await engine.schemaVersion();
  const { found, expected } = version;
  if (found > expected) throw new OtherSchema(engine.name, version);
  if (found === expected) return version;
  if (found > 0 && options.copy) {
    const file = await engine.backup?.writeBeforeUpgrade(version, options.backup);
    if (file !== undefined) options.onCopy?.(file);
  }
  await engine.upgrade();
  return version;
}
