import { statSync } from "node:fs";

/** What tells a file from another one that has taken its place under the same name. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly bytes: bigint;
}

/** The identity of the file that is at a path now, or nothing where there is none that can be seen. */
export function identityOf(path: string): FileIdentity | undefined {
  try {
    const { dev: device, ino: inode, size: bytes } = statSync(path, { bigint: true });
    return { device, inode, bytes };
  } catch {
    return undefined;
  }
}

/** Whether both are the same file, of any length. */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && one.device === other?.device && one.inode === other.inode;
}
