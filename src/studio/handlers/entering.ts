import type { Call, SomeHandlers } from "../call.ts";
import { StudioFault } from "../faults.ts";
import { hashSecret } from "../secrets.ts";
import { letIn } from "../visitors.ts";

const spent = () =>
  new StudioFault("spent", "This link was used already, or is too old. Ask for a new one where you got it.");

/** Who is there, and the ways in by a link. */
export const entering: SomeHandlers<
  "showSession" | "enterByLink" | "signOut" | "lookAtInvitation" | "takeInvitation"
> = {
  async showSession({ studio, visit }) {
    return {
      who: visit?.visitor ?? null,
      ways: { passkey: true, oidc: studio.provider !== undefined },
      publicUrl: studio.publicUrl,
    };
  },

  async enterByLink(call) {
    if (!(await take(call, "link"))) throw spent();
    return letIn(call, null, "link");
  },

  async signOut({ studio, visit, setCookie }) {
    await studio.store.access.sessions.end(visit.session.userId, visit.session.id);
    setCookie(studio.cookies.clearSession());
    return undefined;
  },

  async lookAtInvitation({ studio, body }) {
    const ticket = await studio.store.access.tickets.find(hashSecret(body.secret), "invitation");
    if (!ticket?.email) throw spent();
    return { email: ticket.email, expiresAt: new Date(ticket.expiresAt).toISOString() };
  },

  async takeInvitation(call) {
    const ticket = await take(call, "invitation");
    if (!ticket?.userId) throw spent();
    return letIn(call, ticket.userId, "invitation");
  },
};

function take({ studio, body }: Call<"enterByLink" | "takeInvitation">, kind: "link" | "invitation") {
  return studio.store.access.tickets.take(hashSecret(body.secret), kind);
}
