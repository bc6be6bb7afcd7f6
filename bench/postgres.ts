import type { Figures, GrowthPlan } from "./growth.ts";
export async function besidePgbench(_plan: GrowthPlan): Promise<Figures> {
  throw new Error("not yet");
}
