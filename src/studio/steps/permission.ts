import type { UserSummary } from "../../store/store.ts";
import type { Studio, Visit } from "../call.ts";
import type { StudioRoute } from "../contract.ts";
import { notFound, StudioFault } from "../faults.ts";

/**
 * Lets a visitor through to a route, or throws. Returns the user of the path. To an owner, other users are as absent as
 * those who never were.
 */
export async function checkPermission(
  { who }: StudioRoute,
  userId: string | undefined,
  visit: Visit | null,
  { store }: Studio,
): Promise<UserSummary | undefined> {
  if (who === "anybody") return undefined;
  if (!visit) throw new StudioFault("signed-out", "You are not signed in, or no longer.");
  const { visitor } = visit;
  const isOperator = visitor.kind === "operator";
  if (who === "operator" && !isOperator)
    throw new StudioFault("not-allowed", "Only the operator may do that.");
  if (who === "self" && isOperator) throw new StudioFault("not-allowed", "Only the owner may do that.");
  if (userId === undefined) return undefined;
  if (visitor.kind === "owner") {
    if (visitor.user.id !== userId) throw notFound("user");
    return visitor.user;
  }
  const user = await store.records.summaryById(userId);
  if (!user) throw notFound("user");
  return user;
}
