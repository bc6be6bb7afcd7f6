import type { Call, SomeHandlers } from "../call.ts";
import { type Numbers, PERIODS } from "../contract.ts";
import { StudioFault } from "../faults.ts";
import { numbersAsCsv, numbersOf } from "../numbers.ts";
import { storedRecord } from "../records.ts";
import { fileResponse } from "../responses.ts";

/** The most days of trees that are told at once: each has its own numbers, of which a million takes 300 MB. */
const MOST_DAYS_OF_TREES = 400_000;

export const numbers: SomeHandlers<"showNumbers" | "downloadNumbers"> = {
  showNumbers: numbersFor,

  async downloadNumbers(call) {
    const counted = await numbersFor(call);
    const name = `${call.user.profileSlug}-${counted.from}-${counted.to}.csv`;
    return fileResponse(numbersAsCsv(counted), "text/csv; charset=utf-8", name);
  },
};

async function numbersFor(call: Call<"showNumbers" | "downloadNumbers">): Promise<Numbers> {
  const { studio, user, query } = call;
  const days = PERIODS.find((period) => period === query.get("days"));
  if (!days) throw new StudioFault("malformed", `Numbers are told for ${PERIODS.join(", ")} days.`);
  const { record } = await storedRecord(call);
  if (record.linkTrees.length * Number(days) > MOST_DAYS_OF_TREES)
    throw new StudioFault(
      "too-large",
      "There are too many link trees to tell so many days. Take fewer days.",
    );
  return numbersOf(record, (day) => studio.store.counts.since(user.email, day), Number(days), studio.now());
}
