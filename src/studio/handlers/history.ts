import { differencesBetween } from "../../records/differences.ts";
import type { SomeHandlers } from "../call.ts";
import { notFound } from "../faults.ts";
import { type Subject, saveRecord, storedRecord } from "../records.ts";
import { broughtBack, versionsOf } from "../versions.ts";

export const history: SomeHandlers<"listVersions" | "showVersion" | "restoreVersion"> = {
  async listVersions({ studio, user }) {
    const versions = await versionsOf(user.id, studio.store);
    return (versions ?? []).map(({ record, ...version }) => version);
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

async function findVersion({ studio, user }: Subject, version: string) {
  const versions = await versionsOf(user.id, studio.store);
  const found = versions?.find((it) => String(it.version) === version);
  if (!found?.record) throw notFound("version");
  return { ...found, record: found.record };
}
