import type { SomeHandlers } from "../call.ts";
import { notFound } from "../faults.ts";

/** The sessions of whoever is there: of one owner, or of operators. */
export const sessions: SomeHandlers<"listSessions" | "endSession" | "endAllSessions"> = {
  async listSessions({ studio, visit: { session: own } }) {
    const all = await studio.sessions.of(own.userId);
    return all.map(({ id, way, device, createdAt, seenAt }) => ({
      id,
      way,
      device,
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(seenAt).toISOString(),
      isThisOne: id === own.id,
    }));
  },

  async endSession({ studio, visit, params }) {
    const ended = await studio.store.access.sessions.end(visit.session.userId, params.session);
    if (!ended) throw notFound("session");
    return undefined;
  },

  async endAllSessions({ studio, visit, setCookie }) {
    await studio.store.access.sessions.endAll(visit.session.userId);
    setCookie(studio.cookies.clearSession());
    return undefined;
  },
};
