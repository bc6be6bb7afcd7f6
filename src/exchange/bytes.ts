import { fstatSync, read } from "node:fs";
import { promisify } from "node:util";

/** Bytes on the disk, of which any can be read at any time. */
export interface Bytes {
  readonly size: number;
  /** Fewer than asked for where they end before. */
  slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

export function bytesOfFile(path: string): Bytes {
  const file = Bun.file(path);
  return { size: file.size, slice: (start, end) => file.slice(start, end).bytes() };
}

const readAt = promisify(read);

/** Bun's own files share the position of a descriptor, so that two reads at once would be in each other's way. */
export function bytesOfDescriptor(descriptor: number): Bytes {
  return {
    size: fstatSync(descriptor).size,
    async slice(start, end) {
      const room = new Uint8Array(end - start);
      const { bytesRead } = await readAt(descriptor, room, 0, room.length, start);
      return room.subarray(0, bytesRead);
    },
  };
}
