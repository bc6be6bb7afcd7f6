import { DAY_MS } from "../records/days.ts";
import type { Access, SessionInfo, SessionWay } from "../store/access.ts";
import { deviceOf } from "./device.ts";
import { hashSecret, mintSecret } from "./secrets.ts";

/** A session that is not used for so long ends, and so does one that is so old. */
export const IDLE_MS = 7 * DAY_MS;
export const AGE_MS = 30 * DAY_MS;

/** How stale the time may be at which a session was last seen: writing it with each request would be a waste. */
const SEEN_MS = 5 * 60 * 1000;

/** Both halves of a new session: the cookie, and what the page keeps. Neither lets anybody in without the other. */
interface Halves {
  readonly cookie: string;
  readonly header: string;
}

interface NewVisit {
  /** Null for the operator. */
  readonly userId: string | null;
  readonly way: SessionWay;
  readonly userAgent: string;
}

/** Who is in the studio, by the store that several studios share. */
export class SessionBook {
  readonly #access: Access;
  readonly #now: () => number;

  constructor(access: Access, now: () => number) {
    this.#access = access;
    this.#now = now;
  }

  async open({ userId, way, userAgent }: NewVisit): Promise<Halves> {
    const halves = { cookie: mintSecret(), header: mintSecret() };
    await this.#access.sessions.removeOld(this.#now(), AGE_MS, IDLE_MS);
    await this.#access.sessions.open({
      hash: hashOf(halves),
      userId,
      way,
      device: deviceOf(userAgent),
    });
    return halves;
  }

  /** The session of these halves while it lasts. */
  async find(halves: Halves): Promise<SessionInfo | null> {
    const hash = hashOf(halves);
    const session = await this.#access.sessions.find(hash);
    const now = this.#now();
    if (!session || isOver(session, now)) return null;
    if (Math.abs(now - session.seenAt) >= SEEN_MS) await this.#access.sessions.see(hash);
    return session;
  }

  /** Those of a user or, without one, of operators, that have not ended by themselves. */
  async of(userId: string | null): Promise<SessionInfo[]> {
    const now = this.#now();
    return (await this.#access.sessions.of(userId)).filter((session) => !isOver(session, now));
  }
}

/** One of a time to come was opened, or seen, by a clock that has been set back since. It must not last until then. */
function isOver({ createdAt, seenAt }: SessionInfo, now: number): boolean {
  return Math.abs(now - createdAt) >= AGE_MS || Math.abs(now - seenAt) >= IDLE_MS;
}

/** A point is in neither half, so no two pairs are hashed as the same text. */
function hashOf({ cookie, header }: Halves): Uint8Array {
  return hashSecret(`${cookie}.${header}`);
}
