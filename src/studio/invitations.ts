import { DAY_MS } from "../records/days.ts";
import type { Access } from "../store/access.ts";
import { FRAGMENTS } from "./contract.ts";
import { hashSecret, mintSecret } from "./secrets.ts";

/** How long an owner has to take an invitation, and an operator to open the link that the command prints. */
export const INVITATION_MS = 7 * DAY_MS;
export const LINK_MS = DAY_MS;

export interface Entrance {
  /** With the secret behind `#`, which a browser sends to nobody. */
  readonly url: string;
  readonly expiresAt: number;
}

/** A link that lets an owner in once. It takes the place of an earlier one. Throws `NoSuchUser`. */
export async function invite(
  userId: string,
  { access, origin, now }: { access: Access; origin: string; now: number },
): Promise<Entrance> {
  const secret = mintSecret();
  const expiresAt = now + INVITATION_MS;
  await access.tickets.issue({ hash: hashSecret(secret), kind: "invitation", userId, data: "", expiresAt });
  return { url: `${origin}/#${FRAGMENTS.invitation}=${secret}`, expiresAt };
}

/** A link that lets the operator in once. */
export async function operatorLink({
  access,
  origin,
  now,
}: {
  access: Access;
  origin: string;
  now: number;
}): Promise<Entrance> {
  const secret = mintSecret();
  const expiresAt = now + LINK_MS;
  await access.tickets.issue({ hash: hashSecret(secret), kind: "link", userId: null, data: "", expiresAt });
  return { url: `${origin}/#${FRAGMENTS.link}=${secret}`, expiresAt };
}
