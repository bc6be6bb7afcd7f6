import { FRAGMENTS, type Invitation, type SessionState, type SignedIn, type Visitor } from "../contract.ts";
import { call, Refusal, whenSignedOut } from "./calls.ts";
import { Observable } from "./observable.ts";
import { startOver } from "./routes.ts";
import { sessionHalf } from "./session-half.ts";
import { forgetAllShown } from "./shown-once.ts";

/** Where somebody stands between opening the page and being in. */
export type Standing =
  | { readonly at: "waiting" }
  | { readonly at: "unreachable"; readonly message: string }
  /** The browser keeps nothing for the studio, so that nobody can be signed in. */
  | { readonly at: "blocked" }
  | { readonly at: "door"; readonly ways: SessionState["ways"]; readonly notice?: string | undefined }
  /** What the page was opened with was refused, and somebody is inside by another way: whoever that is goes on knowingly. */
  | { readonly at: "refused"; readonly message: string; readonly who: Visitor }
  | { readonly at: "invitation"; readonly secret: string; readonly invitation: Invitation }
  | {
      readonly at: "inside";
      readonly who: Visitor;
      readonly state: SessionState;
      /** Whether they came by an invitation, and have no passkey yet to come back with. */
      readonly isNew: boolean;
      /** Whether the session ended while the page was open. What is on the screen stays. */
      readonly isEnded: boolean;
    };

export const standing = new Observable<Standing>({ at: "waiting" });

/** What the page was opened with, until the server has answered to it: who tries again has it still. */
let brought: { readonly name: string; readonly secret: string } | undefined;

/** Finds out who is there, after spending the secret that the page was opened with. */
export async function arrive(): Promise<void> {
  // What the page was opened with stays in the address, for when it is loaded again.
  if (!sessionHalf.canBeKept()) return standing.set({ at: "blocked" });
  whenSignedOut.tell = noteEnd;
  brought = takeFragment() ?? brought;
  try {
    await enter();
    brought = undefined;
  } catch (error) {
    await turnAway(error);
  }
}

async function enter(): Promise<void> {
  const { name, secret = "" } = brought ?? {};
  if (name === FRAGMENTS.link) return comeIn(() => call("enterByLink", { body: { secret } }));
  if (name === FRAGMENTS.invitation) {
    const invitation = await call("lookAtInvitation", { body: { secret } });
    return standing.set({ at: "invitation", secret, invitation });
  }
  if (name === FRAGMENTS.session) {
    // Anybody can make a link with something else in it: it takes the place of a session only if it is one.
    const { who } = await call("showSession", {}, secret);
    if (who) sessionHalf.keep(secret);
  }
  await look();
}

/** Signs somebody in by whatever way, and goes inside. */
export async function comeIn(way: () => Promise<SignedIn>, isNew = false): Promise<void> {
  // Asked for first: the way in may be spent once it is taken, and nothing may fail after that.
  const state = await call("showSession", {});
  const { session, who } = await way();
  sessionHalf.keep(session);
  if (standing.value.at === "inside") goOnAs(who);
  else standing.set({ at: "inside", who, state, isNew, isEnded: false });
}

/** Lets somebody whose session ended go on where they were, if they signed in again elsewhere. */
export async function goOn(): Promise<void> {
  const { who } = await call("showSession", {});
  goOnAs(who);
}

/** What somebody was editing is on the screen: it waits for them, whoever else may have signed in. */
function goOnAs(who: Visitor | null): void {
  const now = standing.value;
  if (now.at !== "inside") return;
  if (!who) throw new Refusal({ fault: "signed-out", message: "Nobody is signed in yet." });
  if (!isSame(now.who, who))
    throw new Refusal({ fault: "signed-out", message: `Another account is signed in. ${wayBack(now.who)}` });
  standing.set({ ...now, isEnded: false });
}

function wayBack(who: Visitor): string {
  return who.kind === "owner" ? `Sign in as ${who.user.email}.` : "Sign in as the operator.";
}

/** Asks the server who is there. */
async function look(notice?: string): Promise<void> {
  const state = await call("showSession", {});
  const { who, ways } = state;
  if (!who) standing.set({ at: "door", ways, notice });
  else if (notice === undefined) standing.set({ at: "inside", who, state, isNew: false, isEnded: false });
  else standing.set({ at: "refused", message: notice, who });
}

export async function signOut(): Promise<void> {
  await call("signOut", {});
  leave();
}

/** Forgets the session here, and shows the door. */
export function leave(notice?: string): void {
  sessionHalf.forget();
  startAnew(notice);
}

/** Gives up what is on the screen, for whoever is signed in by now, or the door. */
export function startAnew(notice?: string): void {
  forgetAllShown();
  // What was asked for before, and is refused from now on, finds nobody inside.
  standing.set({ at: "waiting" });
  startOver();
  look(notice).catch(turnAway);
}

/** Whoever is new has seen what there is to see about passkeys. */
export function settle(): void {
  const now = standing.value;
  if (now.at === "inside") standing.set({ ...now, isNew: false });
}

/** Watches for another tab in which somebody else signs in, or out: with that, whoever is inside here no longer is. */
export function watchOtherTabs(): void {
  sessionHalf.follow(() => void lookAgain());
}

async function lookAgain(): Promise<void> {
  try {
    const { who } = await call("showSession", {});
    const now = standing.value;
    if (now.at === "inside" && !(who && isSame(now.who, who))) noteEnd();
  } catch (error) {
    // Whoever does something here finds out then.
    if (!(error instanceof Refusal)) throw error;
  }
}

function noteEnd(): void {
  const now = standing.value;
  if (now.at === "inside") standing.set({ ...now, isEnded: true });
}

async function turnAway(error: unknown): Promise<void> {
  if (!(error instanceof Refusal)) throw error;
  if (error.fault === "unreachable") return standing.set({ at: "unreachable", message: error.message });
  brought = undefined;
  try {
    await look(error.message);
  } catch {
    standing.set({ at: "unreachable", message: error.message });
  }
}

/** Takes the secret from the address, so that neither the history nor a bookmark keeps it. */
function takeFragment(): typeof brought {
  const [, name, secret] = /^#(\w+)=(.+)$/.exec(location.hash) ?? [];
  if (name === undefined || secret === undefined) return undefined;
  startOver();
  return { name, secret };
}

function isSame(one: Visitor, other: Visitor): boolean {
  return one.kind === "owner"
    ? other.kind === "owner" && one.user.id === other.user.id
    : other.kind === "operator";
}
