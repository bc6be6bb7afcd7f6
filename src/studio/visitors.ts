import type { SessionWay } from "../store/access.ts";
import type { Call, Studio, Visit } from "./call.ts";
import { SESSION_HEADER, type SignedIn, type Visitor } from "./contract.ts";

/** Who a request comes from: both halves of a session that lasts, of a user who is there. */
export async function visitOf(request: Request, studio: Studio): Promise<Visit | null> {
  const cookie = studio.cookies.session(request);
  const header = request.headers.get(SESSION_HEADER);
  if (!cookie || !header) return null;
  const session = await studio.sessions.find({ cookie, header });
  const visitor = session && (await visitorOf(session.userId, studio));
  return session && visitor && { session, visitor };
}

async function visitorOf(userId: string | null, { store }: Studio): Promise<Visitor | null> {
  if (userId === null) return { kind: "operator" };
  const user = await store.records.summaryById(userId);
  return user && { kind: "owner", user };
}

/** Opens a session for somebody who was let in. */
export async function letIn(
  call: Pick<Call, "studio" | "request" | "setCookie" | "name">,
  userId: string | null,
  way: SessionWay,
): Promise<SignedIn> {
  const { studio, request } = call;
  const userAgent = request.headers.get("User-Agent") ?? "";
  const opened = await studio.sessions.open({ userId, way, userAgent });
  const who = await visitorOf(userId, studio);
  if (!who) throw new Error("a session was opened for nobody");
  call.setCookie(studio.cookies.setSession(opened.cookie));
  call.name(userId);
  return { session: opened.header, who };
}

/** How the log names an account: by the id of its user, which says nothing to others. */
export function nameOf(userId: string | null): string {
  return userId ?? "operator";
}
