import { DAY_MS } from "../records/days.ts";
import type { Access } from "../store/access.ts";
import { FRAGMENTS } from "./contract.ts";
import { hashSecret, mintSecret } from "./secrets.ts";

/** How long an owner has to take an invitation, and an operator to open the link that the command prints. */
const INVITATION_MS = 7 * DAY_MS;
const LINK_MS = DAY_MS;

export interface Entrance {
  /** With the secret behind `#`, which a browser sends to nobody. */
  readonly url: string;
  readonly expiresAt: string;
}

interface Issuing {
  readonly access: Access;
  readonly origin: string;
  readonly now: number;
}

/** A link that lets an owner in once. It takes the place of an earlier one. Throws `NoSuchUser`. */
export function invite(userId: string, issuing: Issuing): Promise<Entrance> {
  return issue("invitation", userId, INVITATION_MS, issuing);
}

/** A link that lets the operator in once. */
export function operatorLink(issuing: Issuing): Promise<Entrance> {
  return issue("link", null, LINK_MS, issuing);
}

async function issue(
  kind: "invitation" | "link",
  userId: string | null,
  lastsMs: number,
  { access, origin, now }: Issuing,
): Promise<Entrance> {
  const secret = mintSecret();
  const expiresAt = now + lastsMs;
  await access.tickets.issue({ hash: hashSecret(secret), kind, userId, data: "", expiresAt });
  return { url: `${origin}/#${FRAGMENTS[kind]}=${secret}`, expiresAt: new Date(expiresAt).toISOString() };
}
