import { hookStatus } from "../../hooks/owner-hooks.ts";
import type { Store } from "../../store/store.ts";
import { plural } from "../output.ts";
import type { Finding } from "./finding.ts";

/** The most that are named. */
const MAX_NAMED = 10;

/** Only where there are some. A hook that fails tells nobody that a site is no longer built. */
export async function checkHooks(store: Store): Promise<Finding[]> {
  const hooks = await store.hooks.list();
  if (hooks.length === 0) return [];
  const check = "Hooks";
  const unwell = hooks.filter((hook) => hookStatus(hook) !== "active");
  const [first] = unwell;
  if (!first) return [{ check, ok: true, detail: `none of ${hooks.length} is failing` }];
  const named = unwell
    .slice(0, MAX_NAMED)
    .map((hook) => `${hook.id} of ${hook.email} is ${hookStatus(hook)}`);
  const detail = `${plural(unwell.length, "hook")} of ${hooks.length} cannot be delivered to: ${named.join("; ")}`;
  const remedy = `vitrine hook log ${first.id}; then vitrine hook test ${first.id}, or vitrine hook remove ${first.id}`;
  return [{ check, ok: false, detail, remedy }];
}
