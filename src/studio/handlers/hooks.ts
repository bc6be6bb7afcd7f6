import { addHook, shown, testHook } from "../../hooks/owner-hooks.ts";
import { type HookFault, HookRefused } from "../../hooks/refusal.ts";
import { wentWell } from "../../hooks/schedule.ts";
import { timestampOf } from "../../keys/lifetime.ts";
import type { Answer, Hook as StoredHook } from "../../store/hooks.ts";
import type { Call, SomeHandlers } from "../call.ts";
import type { Hook } from "../contract.ts";
import { notFound, StudioFault } from "../faults.ts";

/** More than anybody needs, and few enough that nobody can have the server announce a change to half the world. */
const MOST_HOOKS = 20;

/** An owner waits for it, and no call of the studio takes as long as a delivery may. */
const TRY_MS = 5000;

export const hooks: SomeHandlers<"listHooks" | "addHook" | "testHook" | "removeHook"> = {
  async listHooks({ studio, user }) {
    return (await studio.store.hooks.list(user.email)).map(described);
  },

  async addHook(call) {
    const { studio, user, body } = call;
    const { hooks: stored } = studio.store;
    const count = async () => (await stored.list(user.email)).length;
    if ((await count()) >= MOST_HOOKS) throw tooMany();
    const wanted = { ...body, email: user.email };
    const hook = await addHook(stored, wanted, mayStayInside(call)).catch(refused);
    // Others may have been added meanwhile. Of all that stay, the last has seen the others.
    if ((await count()) > MOST_HOOKS) {
      await stored.remove(hook.id);
      throw tooMany();
    }
    return { hook: described(hook), secret: hook.secret };
  },

  async testHook(call) {
    const { hooks: stored } = call.studio.store;
    const hook = await ownHook(call);
    const answer = await testHook(stored, hook, { allowPrivate: mayStayInside(call), tryMs: TRY_MS });
    const tested = (await stored.find(hook.id)) ?? hook;
    return { wentWell: wentWell(answer), message: wordsFor(answer), hook: described(tested) };
  },

  async removeHook(call) {
    const { id } = await ownHook(call);
    if (!(await call.studio.store.hooks.remove(id))) throw notFound("hook");
    return undefined;
  },
};

function tooMany(): StudioFault {
  return new StudioFault("not-allowed", `There are ${MOST_HOOKS} hooks already, which is the most.`);
}

/** Addresses within the network are the operator's to use, where the setting allows them at all. */
function mayStayInside({ studio, visit }: Call<"addHook" | "testHook">): boolean {
  return studio.hookPrivate && visit.visitor.kind === "operator";
}

/** A hook of the user's. Those of others are as absent as those that never were. */
async function ownHook({ studio, user, params }: Call<"testHook" | "removeHook">): Promise<StoredHook> {
  const own = await studio.store.hooks.list(user.email);
  const hook = own.find(({ id }) => id === params.hook);
  if (!hook) throw notFound("hook");
  return hook;
}

const FIELDS: Readonly<Partial<Record<HookFault, readonly [field: string, name: string]>>> = {
  header: ["headers", "headers"],
  body: ["body", "body"],
  events: ["events", "events"],
};

function refused(error: unknown): never {
  if (!(error instanceof HookRefused)) throw error;
  const { fault, message } = error;
  const [field, name] = FIELDS[fault] ?? ["url", "address"];
  throw new StudioFault("problems", `This cannot be used as the ${name}: ${message}.`, {
    problems: [{ path: [field], message }],
  });
}

/** Why a receiver was not asked, or gave no answer. The system's own codes stay as they are. */
const SILENCES: Readonly<Record<string, string>> = {
  "private-address": "Its address is not of the public Internet.",
  "unknown-name": "The name of its host is not known.",
  timeout: `Its receiver gave no answer within ${TRY_MS / 1000} seconds.`,
};

function wordsFor({ status, fault }: Answer): string {
  if (status !== null) return `Its receiver answered ${status}.`;
  return SILENCES[fault] ?? `Its receiver could not be reached (${fault}).`;
}

function described(stored: StoredHook): Hook {
  const { id, url, headers, events, isSigned, status, createdAt, failingSince, disabledAt } = shown(stored);
  return {
    id,
    origin: new URL(url).origin,
    headers,
    events,
    isSigned,
    status,
    since: timestampOf(disabledAt ?? failingSince),
    createdAt: timestampOf(createdAt),
  };
}
