import type { Call, SomeHandlers } from "../call.ts";
import type { Numbers, NumbersPeriod } from "../contract.ts";
import { StudioFault } from "../faults.ts";
import { numbersAsCsv, numbersOf } from "../numbers.ts";
import { storedRecord } from "../records.ts";
import { fileResponse } from "../responses.ts";

const PERIODS: readonly NumbersPeriod["days"][] = ["7", "30", "90", "365"];

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
  return numbersOf(record, (day) => studio.store.counts.since(user.email, day), Number(days), studio.now());
}
