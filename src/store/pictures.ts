import { type PICTURE_TYPES, pictureHashIn } from "../contract/pictures.ts";
import type { UserRecord } from "../records/record.ts";

/**
 * Pictures that owners uploaded. A server reads them through a `DocumentReader`. The save of a record that no longer
 * shows a picture puts it away, and removes it once no version in the history names it.
 */
export interface Pictures {
  /**
   * Putting the same again changes nothing but its time. Of those that no version of the record names, the oldest go
   * where they become too many. The user must exist.
   */
  put(userId: string, picture: NewPicture): Promise<void>;
}

export interface NewPicture {
  readonly hash: string;
  readonly type: keyof typeof PICTURE_TYPES;
  readonly bytes: Uint8Array;
}

/** How many bytes a picture may have. */
export const MAX_PICTURE_BYTES = 256 * 1024;

/** How each kind of picture begins, in hexadecimal. What a file is called, or said to be, is not asked. */
const BEGINNINGS: readonly (readonly [type: NewPicture["type"], beginning: RegExp])[] = [
  ["image/jpeg", /^ffd8ff/],
  ["image/png", /^89504e470d0a1a0a/],
  // RIFF, a length, and WEBPVP8 with what tells the three forms of WebP apart.
  ["image/webp", /^52494646.{8}57454250565038(?:20|4c|58)/],
];

/** The picture that bytes are, if they are one. */
export function pictureIn(bytes: Uint8Array): NewPicture | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const type = BEGINNINGS.find(([, beginning]) => beginning.test(start))?.[0];
  if (!type) return undefined;
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32);
  return { hash, type, bytes };
}

/** The hash of the picture that a record shows, if it can be one of ours. */
export function shownPicture({ profile }: UserRecord): string | undefined {
  return pictureHashIn(profile.avatarUrl.value ?? "");
}
