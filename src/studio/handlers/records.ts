import type { SomeHandlers } from "../call.ts";
import { previewOf } from "../preview.ts";
import { checkAgainstStored, saveRecord, storedRecord } from "../records.ts";

export const records: SomeHandlers<"showRecord" | "checkRecord" | "saveRecord" | "previewPage"> = {
  showRecord: (call) => storedRecord(call),

  checkRecord: (call) => checkAgainstStored(call, call.body.record),

  saveRecord: (call) => saveRecord(call, call.body, "studio"),

  previewPage: async ({ studio, body }) => previewOf(body, studio.now()),
};
