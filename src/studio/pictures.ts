import type { UserRecord } from "../records/record.ts";
import { shownPicture } from "../store/pictures.ts";
import type { Studio } from "./call.ts";

/** How long a picture is kept that was uploaded and is in no record yet: another window may be about to save it. */
const HOUR_MS = 60 * 60 * 1000;

/** Removes what an owner uploaded long ago and never saved. */
export async function removeUnusedPictures({ store, now }: Studio, record: UserRecord): Promise<void> {
  const hash = shownPicture(record);
  await store.pictures.removeUnused(record.id, hash === undefined ? [] : [hash], now() - HOUR_MS);
}
