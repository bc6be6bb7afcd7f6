import { differencesBetween } from "../../records/differences.ts";
import type { SomeHandlers } from "../call.ts";
import { notFound } from "../faults.ts";
import { type Subject, saveRecord, storedRecord } from "../records.ts";
import { broughtBack, versionsOf } from "../versions.ts";

export const history: SomeHandlers<"listVersions" | "showVersion" | "restoreVersion"> = {
  async listVersions({ studio, user }) {
    const versions = await versionsOf(user.id, studio.store);
    return (versions ?? []).map(({ read, ...version }) => version);
  },

  async showVersion(call) {
    const { record, ...version } = await findVersion(call, call.params.version);
    const stored = await storedRecord(call);
    const wouldChange = differencesBetween(stored.record, broughtBack(record, stored.record));
    return { ...version, record, wouldChange };
  },

  async restoreVersion(call) {
    const { record } = await findVersion(call, call.params.version);
    const { revision } = call.body;
    return saveRecord(call, { record: broughtBack(record, call.user), revision }, "restore");
  },
};

async function findVersion({ studio, user }: Subject, wanted: string) {
  const [found] = (await versionsOf(user.id, studio.store, wanted)) ?? [];
  const record = found?.read();
  if (!found || !record) throw notFound("version");
  const { read, ...version } = found;
  return { ...version, record };
}
