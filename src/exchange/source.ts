import { closeSync, createReadStream, type Stats, statSync } from "node:fs";
import { writeAll } from "../logging/write-all.ts";
import { type Bytes, bytesOfDescriptor, bytesOfFile } from "./bytes.ts";
import { openTemporaryFile, puttingAside } from "./temporary.ts";

/** A file to import under the name its user gave it. It can be read as often as need be. */
export interface Source {
  readonly name: string;
  readonly content: Bytes;
}

/** Thrown where there is no file to import: nothing at all, or a folder. */
export class NoFile extends Error {
  override readonly name = "NoFile";
  readonly file: string;
  readonly isFolder: boolean;

  constructor(file: string, isFolder: boolean) {
    super(isFolder ? `${file} is a folder` : `there is no file ${file}`);
    this.file = file;
    this.isFolder = isFolder;
  }
}

const STANDARD_INPUT = "-";

export function refuseMissing(files: readonly string[]): void {
  for (const file of files.filter((name) => name !== STANDARD_INPUT))
    if (refuseAbsent(file).isDirectory()) throw new NoFile(file, true);
}

/** What is known of a file. One in a folder that may not be entered can be there: that is the system's to refuse. */
export function refuseAbsent(file: string): Stats {
  try {
    return statSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") throw error;
    throw new NoFile(file, false);
  }
}

/** Opens a file when its turn comes. What flows in from elsewhere is copied to the disk, until the end. */
export async function openSource(file: string, untilTheEnd: AsyncDisposableStack): Promise<Source> {
  const copyOf = async (stream: AsyncIterable<Uint8Array>) => {
    const descriptor = untilTheEnd.adopt(openTemporaryFile(), closeSync);
    for await (const chunk of stream) puttingAside(() => writeAll(descriptor, chunk));
    return bytesOfDescriptor(descriptor);
  };
  if (file === STANDARD_INPUT) return { name: "standard input", content: await copyOf(Bun.stdin.stream()) };
  const stats = statSync(file);
  if (stats.isFile()) return { name: file, content: bytesOfFile(file) };
  // Of devices Bun streams only those that one can wait for, and /dev/null, which cron has for standard input, is none.
  const stream = stats.isCharacterDevice() ? createReadStream(file) : Bun.file(file).stream();
  return { name: file, content: await copyOf(stream) };
}

/** The size of a file as far as it is known before the file is opened. */
export function knownSize(file: string): number {
  return file === STANDARD_INPUT ? 0 : statSync(file).size;
}
