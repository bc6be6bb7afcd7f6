/** What can be announced. */
export const HOOK_EVENTS = ["record.changed", "key.expiring"] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What is sent to try a hook. Nobody asks for it, and everybody gets it. */
export const TEST_EVENT = "hook.test";

export type HookHeader = readonly [name: string, value: string];

/** Where a hook leads, and what is sent there. URL, headers and secret are for nobody else to see. */
export interface HookTarget {
  readonly url: string;
  readonly headers: readonly HookHeader[];
  /** What is sent where there is no secret to sign a message with. */
  readonly body: string | null;
  readonly secret: string | null;
}

export interface NewHook extends HookTarget {
  readonly email: string;
  readonly events: readonly HookEvent[];
}

export interface Hook extends NewHook {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  /** When it was given up to deliver something. Null again once something has arrived. */
  readonly failingSince: number | null;
  /** When its receiver said that it is gone for good. */
  readonly disabledAt: number | null;
}

/** `dropped` is what waited when its hook was disabled. */
export type DeliveryState = "waiting" | "delivered" | "failed" | "dropped";

/** What became of one delivery. */
export interface DeliveryInfo {
  readonly id: string;
  readonly event: string;
  readonly createdAt: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The time of the next try, or until which the present one may take. */
  readonly dueAt: number | null;
  readonly endedAt: number | null;
  /** What the last try was answered with. */
  readonly status: number | null;
  /** Why the last try got no answer, as a code. */
  readonly fault: string | null;
}

/** How a single try ended: with a status, or without an answer. */
export type Answer =
  | { readonly status: number; readonly fault: null }
  | { readonly status: null; readonly fault: string };

/** The hooks of owners, as they and operators handle them. */
export interface Hooks {
  /** Throws `NoSuchUser` where the owner does not exist. */
  add(hook: NewHook): Promise<Hook>;
  /** Those of one owner, or of all, oldest first. */
  list(email?: string): Promise<Hook[]>;
  find(id: string): Promise<Hook | null>;
  remove(id: string): Promise<boolean>;
  /** The latest deliveries, newest first. */
  log(id: string): Promise<DeliveryInfo[]>;
  /** Notes a test. One that went well shows that the hook is neither failing nor gone. */
  noteTest(
    id: string,
    test: { readonly deliveryId: string; readonly wentWell: boolean } & Answer,
  ): Promise<void>;
}

/** How many deliveries a log shows. */
export const LOG_LENGTH = 50;

/** What a hook is added with, in the order of the columns of every engine. */
export type HookColumns = [
  id: string,
  email: string,
  url: string,
  headers: string,
  body: string | null,
  secret: string | null,
  events: string,
  createdAt: number,
];

/** What became of a message that was sent to try a hook. */
export type TestColumns = [
  id: string,
  hookId: string,
  now: number,
  state: string,
  status: number | null,
  fault: string | null,
];

/** A hook as both engines store it. */
export interface HookRow extends Omit<Hook, "headers" | "events"> {
  readonly headers: string;
  readonly events: string;
}

export function hookOf({ headers, events, ...row }: HookRow): Hook {
  return { ...row, headers: JSON.parse(headers) as HookHeader[], events: events.split(",") as HookEvent[] };
}

export function columnsOf({ headers, events }: Pick<NewHook, "headers" | "events">) {
  return { headers: JSON.stringify(headers), events: events.join(",") };
}
