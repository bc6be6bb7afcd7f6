import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../syntax/text.ts";
import { NotInFormat, notReadable } from "./errors.ts";

/** The most that the wanted files of an archive may have in all, and how many entries an archive may have. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

/** The texts of the wanted files, by their names without folders. */
export type Texts = ReadonlyMap<string, string>;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 9;
}

/** Files of a ZIP archive. Nothing is unpacked but what is wanted, and nothing is written. */
export async function textsOfZip(bytes: Uint8Array, wanted: readonly string[]): Promise<Texts> {
  const { unzipSync } = await import("fflate");
  const refuse = refusal("archive");
  let entries = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (++entries > MAX_ENTRIES)
          throw new NotInFormat(`the archive has more than ${MAX_ENTRIES} entries`);
        if (/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|^[A-Za-z]:/.test(name))
          throw new NotInFormat("the archive has an entry whose name leads out of it");
        if (!wanted.includes(baseName(name))) return false;
        refuse(baseName(name), originalSize);
        return true;
      },
    });
    const checksums = checksumsIn(bytes);
    for (const [name, content] of Object.entries(files))
      if (checksums.get(baseName(name)) !== Bun.hash.crc32(content))
        throw new NotInFormat(`${baseName(name)} is damaged in the archive`);
  } catch (cause) {
    if (cause instanceof NotInFormat) throw cause;
    throw new NotInFormat("the file is no ZIP archive, or a damaged one");
  }
  return decoded(Object.entries(files));
}

/**
 * The CRC-32 of each entry, by its name without folders. The library that has read the archive checks none, so what it
 * has found its way by is read again (APPNOTE.TXT, section 4.3): the end, that of ZIP64, and the directory.
 */
function checksumsIn(archive: Uint8Array): Map<string, number> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const checksums = new Map<string, number>();
  const end = bytes.lastIndexOf("PK\x05\x06");
  const isZip64 = end >= 20 && bytes.readUInt32LE(end - 20) === 0x07064b50;
  let at = isZip64 ? bytes.readUInt32LE(bytes.readUInt32LE(end - 12) + 48) : bytes.readUInt32LE(end + 16);
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    checksums.set(baseName(bytes.toString("latin1", at + 46, nameEnd)), bytes.readUInt32LE(at + 16));
    // Behind the name come what is extra, and a comment.
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return checksums;
}

/** The same files of a folder that such an archive was unpacked to, or of one in it. */
export async function textsOfFolder(folder: string, wanted: readonly string[]): Promise<Texts> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  if (names.length > MAX_ENTRIES) throw new NotInFormat(`the folder has more than ${MAX_ENTRIES} entries`);
  const refuse = refusal("folder");
  const files: [string, Uint8Array][] = [];
  for (const name of names.filter((name) => wanted.includes(baseName(name)))) {
    refuse(baseName(name), statSync(join(folder, name)).size);
    files.push([name, await Bun.file(join(folder, name)).bytes()]);
  }
  return decoded(files);
}

/**
 * Refuses wanted files that are too large, alone or together, and the second of a name: an archive may list the same
 * bytes any number of times, and in a folder with two exports nobody says which is meant.
 */
function refusal(container: "archive" | "folder"): (name: string, bytes: number) => void {
  const found = new Set<string>();
  let total = 0;
  return (name, bytes) => {
    if (found.has(name)) throw new NotInFormat(`the ${container} has more than one ${name}`);
    found.add(name);
    total += bytes;
    if (bytes > MAX_BYTES) throw new NotInFormat(`${name} is too large to be real`);
    if (total > MAX_BYTES) throw new NotInFormat(`the files of the ${container} are too large to be real`);
  };
}

function decoded(files: readonly (readonly [string, Uint8Array])[]): Texts {
  return new Map(
    files.map(([name, bytes]) => {
      const text = textOf(bytes);
      if ("fault" in text) throw notReadable(baseName(name), text);
      return [baseName(name), text.text];
    }),
  );
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
