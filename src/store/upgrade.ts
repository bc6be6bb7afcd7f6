import { rmSync } from "node:fs";
import type { BackupOptions, Engine } from "./engine.ts";
import { OtherSchema, type SchemaVersion } from "./unavailable.ts";

interface UpgradeOptions {
  /** Whether a copy is taken first, where the engine can make one. */
  readonly copy: boolean;
  readonly backup?: BackupOptions;
}

export interface Upgraded extends SchemaVersion {
  /** The copy, where one was taken and the schema is another than in it. */
  readonly copiedTo?: string | undefined;
}

/**
 * Makes the schema of a database, or brings it up to date. A database that holds something is copied first, so that
 * the way back is open. Returns what was found.
 */
export async function upgradeSchema(engine: Engine, options: UpgradeOptions): Promise<Upgraded> {
  const version = await engine.schemaVersion();
  const { found, expected } = version;
  if (found > expected) throw new OtherSchema(engine.name, version);
  if (found === expected) return version;
  const copiedTo =
    found > 0 && options.copy ? await engine.backup?.writeBeforeUpgrade(version, options.backup) : undefined;
  try {
    await engine.upgrade();
  } catch (error) {
    // A supervisor starts a server again every second, and so many copies of what is as it was fill a disk.
    if (copiedTo !== undefined && (await isStill(engine, found))) rmSync(copiedTo, { force: true });
    throw error;
  }
  return { ...version, copiedTo };
}

/** Whether a database has this version, and no process has brought it further. */
async function isStill(engine: Engine, version: number): Promise<boolean> {
  try {
    return (await engine.schemaVersion()).found === version;
  } catch {
    return false;
  }
}
