import { readStored } from "../records/stored.ts";
import { shownPicture } from "./pictures.ts";
import { recordTextOf, type VersionRow } from "./stored-record.ts";

/** A picture of a user, without its bytes. */
export interface KeptPicture {
  readonly hash: string;
  readonly putAt: number;
}

/** The time for pictures that only earlier versions of a record name: they are kept, and nobody is shown them. */
export const PUT_AWAY = 0;

/** How long a picture is kept that was uploaded and is in no record yet: another window may be about to save it. */
const UPLOAD_MS = 60 * 60 * 1000;

/** How many of those are kept of one user. */
export const MOST_UPLOADS = 10;

/** What changes in the pictures of a user. */
interface PictureChanges {
  /** Those that are put away or come back, with their new times. */
  readonly moved: readonly KeptPicture[];
  readonly removed: readonly string[];
}

/** Which pictures of a user a save puts away, brings back and removes. The versions are those after the save. */
export function settlePictures(
  pictures: readonly KeptPicture[],
  shown: string | undefined,
  versions: readonly VersionRow[],
  now: number,
): PictureChanges {
  const others = pictures.filter(({ hash }) => hash !== shown);
  const named = new Set(versions.map(pictureOf));
  const back = pictures.filter(({ hash, putAt }) => hash === shown && putAt === PUT_AWAY);
  const away = others.filter(({ hash, putAt }) => named.has(hash) && putAt !== PUT_AWAY);
  const unused = others.filter(({ hash, putAt }) => !named.has(hash) && putAt < now - UPLOAD_MS);
  return {
    moved: [
      ...back.map(({ hash }) => ({ hash, putAt: now })),
      ...away.map(({ hash }) => ({ hash, putAt: PUT_AWAY })),
    ],
    removed: unused.map(({ hash }) => hash),
  };
}

/** Which uploads of a user are too many with the one that has just been put: the oldest that no version names. */
export function surplusUploads(
  pictures: readonly KeptPicture[],
  put: string,
  versions: readonly VersionRow[],
): string[] {
  const named = new Set(versions.map(pictureOf));
  const uploads = pictures.filter(({ hash }) => hash !== put && !named.has(hash));
  const latestFirst = uploads.toSorted((one, other) => other.putAt - one.putAt);
  return latestFirst.slice(MOST_UPLOADS - 1).map(({ hash }) => hash);
}

/** What stands behind the profile in the text of a record. No text within can hold it, since its quotes are escaped. */
const LISTS = ',"jobs":[';
const NO_LISTS = ',"jobs":[],"projects":[],"linkTrees":[],"education":[]}';

/**
 * The picture that a version shows. One that cannot be read cannot be brought back either, and shows none. Lists are
 * not read where that can be helped: those of twenty versions can take seconds.
 */
function pictureOf(version: VersionRow): string | undefined {
  const { record: text } = recordTextOf(version);
  const end = text.indexOf(LISTS);
  const beginning = readStored(end === -1 ? text : text.slice(0, end) + NO_LISTS);
  const read = "record" in beginning ? beginning : readStored(text);
  return "record" in read ? shownPicture(read.record) : undefined;
}
