import type { RecordInput } from "../../records/schema.ts";
import { engineAt } from "../../store/engines.ts";
import type { DatabaseLocation } from "../../store/location.ts";
import type { NewPicture } from "../../store/pictures.ts";
import { planForNobody } from "../../store/save/batch.ts";
import type { Saved, Store } from "../../store/store.ts";

/** A record, and the picture that it shows if that came along. */
interface WithPicture {
  readonly input: RecordInput;
  readonly picture?: NewPicture | undefined;
}

/** Saves one record, or says what saving it would do. Throws `RecordsRefused`. */
export async function saveOne(
  { input, picture }: WithPicture,
  database: DatabaseLocation,
  isDryRun: boolean,
): Promise<Saved | undefined> {
  const engine = await engineAt(database);
  engine.refuseMissingFolder();
  const found = await engine.openExisting();
  if (!found && isDryRun) return (await planForNobody([input])).saves[0];
  if (!found) await engine.upgrade();
  const store = found ?? (await engine.open());
  try {
    if (isDryRun) return (await store.records.plan([input])).saves[0];
    const [saved] = await store.records.save([input]);
    if (picture && saved) await putPicture(store, saved, picture);
    return saved;
  } finally {
    await store.close();
  }
}

/** A picture belongs to a user, who may be new. Importing the file again puts it where this was cut short. */
async function putPicture(
  { records, pictures }: Store,
  { email }: Saved,
  picture: NewPicture,
): Promise<void> {
  const user = await records.summary(email);
  if (user) await pictures.put(user.id, picture);
}
