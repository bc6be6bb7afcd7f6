import {
  type Answer,
  HOOK_EVENTS,
  type Hook,
  type HookEvent,
  type Hooks,
  TEST_EVENT,
} from "../store/hooks.ts";
import { parseHeaders } from "./headers.ts";
import { messageFor } from "./message.ts";
import { type PostOptions, post } from "./post.ts";
import { HookRefused } from "./refusal.ts";
import { checkedAddresses } from "./resolve.ts";
import { wentWell } from "./schedule.ts";
import { mintSecret } from "./signature.ts";
import { checkHookUrl, maskUrl } from "./url.ts";

/** A hook as an owner asks for it. */
export interface WantedHook {
  readonly email: string;
  readonly url: string;
  /** Each `Name: value`. */
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly isSigned: boolean;
  /** Names of events; where there is none, changes of the record. */
  readonly events: readonly string[];
}

const MAX_BODY_LENGTH = 10_000;

/** Adds a hook for an owner who must exist. The secret, if there is one, is shown by nothing later. Throws `HookRefused`. */
export async function addHook(hooks: Hooks, wanted: WantedHook, allowPrivate: boolean): Promise<Hook> {
  const url = checkHookUrl(wanted.url);
  const headers = parseHeaders(wanted.headers);
  const { email, body } = wanted;
  if (body !== null && wanted.isSigned)
    throw new HookRefused("body", "a signed message has a body of its own");
  if (body !== null && (body.length > MAX_BODY_LENGTH || body.includes("\0")))
    throw new HookRefused("body", `it has more than ${MAX_BODY_LENGTH} characters, or a NUL among them`);
  const events = eventsOf(wanted.events);
  await checkedAddresses(url, allowPrivate);
  const secret = wanted.isSigned ? mintSecret() : null;
  return hooks.add({ email, url, headers, body, secret, events });
}

function eventsOf(names: readonly string[]): HookEvent[] {
  if (names.length === 0) return ["record.changed"];
  return [...new Set(names)].map((name) => {
    const event = HOOK_EVENTS.find((it) => it === name);
    if (!event) throw new HookRefused("events", `there is no event ${name}`);
    return event;
  });
}

/** Sends a message to a hook at once, and notes in its log how that ended. */
export async function testHook(hooks: Hooks, hook: Hook, options: PostOptions): Promise<Answer> {
  const deliveryId = crypto.randomUUID();
  const now = Date.now();
  const delivery = { ...hook, id: deliveryId, event: TEST_EVENT, details: {}, createdAt: now };
  const answer = await post(messageFor(delivery, now), options);
  await hooks.noteTest(hook.id, { deliveryId, wentWell: wentWell(answer), ...answer });
  return answer;
}

export type HookStatus = "active" | "failing" | "disabled";

export function hookStatus({
  failingSince,
  disabledAt,
}: Pick<Hook, "failingSince" | "disabledAt">): HookStatus {
  if (disabledAt !== null) return "disabled";
  return failingSince === null ? "active" : "failing";
}

/** What may be shown of a hook: of headers, their names alone. */
export function shown(hook: Hook) {
  const { id, email, events, createdAt, failingSince, disabledAt } = hook;
  return {
    id,
    email,
    url: maskUrl(hook.url),
    headers: hook.headers.map(([name]) => name),
    events,
    isSigned: hook.secret !== null,
    status: hookStatus(hook),
    createdAt,
    failingSince,
    disabledAt,
  };
}
