import type { MaybePromise } from "../async/maybe-promise.ts";
import { DAY_MS } from "../records/days.ts";
import type { CountWriter } from "./count-writer.ts";
import type { Answer, DeliveryState, HookTarget } from "./hooks.ts";
import type { PreviewWriter } from "./preview-writer.ts";
import type { RenditionWriter } from "./rendition-writer.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a try holds its delivery. Who has not said how it ended by then is taken for dead. */
export const LEASE_MS = 30_000;

/** The pauses after failed tries. After the last try a delivery is given up. */
export const RETRIES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
] as const;

/** How long the log of a hook goes back. Longer than any expiry is announced ahead, so that none is announced twice. */
export const LOG_LIFE_MS = 30 * DAY_MS;

/** How many days before a key expires that is announced. */
export const EXPIRY_NOTICE_DAYS = [1, 7, 14] as const;

/** How many users' changes become deliveries at a time. */
export const CHANGE_STEP = 500;

/** A change that lies further ahead was noted by a clock that has been set back since. It waits for nothing. */
export const MOST_AHEAD_MS = 60_000;

const PAUSES = RETRIES_MS.map((pause, index) => `WHEN ${index + 1} THEN ${pause}`).join(" ");

/**
 * How far ahead the next try of a delivery may lie, by how many it has had. One that lies further ahead was put there by
 * a clock that has been set back since.
 */
export const MOST_PAUSE_MS = `${MOST_AHEAD_MS} + CASE attempts ${PAUSES} ELSE 0 END`;

/** Of how many due deliveries some are chosen, the oldest. */
export const CANDIDATES = 64;

/** How much is to be taken, and how long changes wait for others to join them. */
export interface Wanted {
  readonly most: number;
  readonly mostOfUser: number;
  /** The ids of users of whom nothing is to be taken now. */
  readonly exceptOf: readonly string[];
  readonly delayMs: number;
}

/** A delivery that is this process's to try, until the lease ends. */
export interface TakenDelivery extends HookTarget {
  readonly id: string;
  readonly hookId: string;
  readonly userId: string;
  readonly event: string;
  /** What there is to tell of the event. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** Which try it is, counted from one. It also tells this lease from a later one. */
  readonly attempt: number;
}

/** What is to become of a delivery, and of its hook, after a try. */
export type Settlement = Pick<TakenDelivery, "id" | "attempt"> &
  Answer & {
    readonly state: Exclude<DeliveryState, "dropped">;
    /** The pause before the next try, of a delivery that waits. */
    readonly retryMs: number;
    /** Whether the receiver is gone for good. */
    readonly disables: boolean;
  };

/** Hooks by how they are, and deliveries that wait. */
export interface HookNumbers {
  readonly active: number;
  readonly failing: number;
  readonly disabled: number;
  readonly waiting: number;
}

/**
 * What is to be announced, for servers that share the work: each takes some, and what a dead one has taken comes back
 * when its lease ends. Times are those of the database.
 */
export interface HookQueue {
  /** Makes deliveries of the changes that have waited long enough, and takes those that are due. */
  take(wanted: Wanted): MaybePromise<TakenDelivery[]>;
  /** Does nothing where the lease has ended, and another server has taken the delivery since. */
  settle(settlement: Settlement): MaybePromise<void>;
  /** Makes deliveries for the keys that expire soon, forgets old ones, and has those tried that would wait too long. */
  sweep(): MaybePromise<void>;
  numbers(): MaybePromise<HookNumbers>;
}

/** All that a server writes: it counts, notes what becomes of announcements, and keeps pages and preview pictures. */
export interface ServingWriter extends CountWriter {
  readonly hooks: HookQueue;
  readonly previews: PreviewWriter;
  readonly renditions: RenditionWriter;
}

/** A delivery as both engines read it. */
export interface TakenRow extends Omit<TakenDelivery, "headers" | "details"> {
  readonly headers: string;
  readonly details: string;
}

export function deliveryOf({ headers, details, ...row }: TakenRow): TakenDelivery {
  return {
    ...row,
    headers: JSON.parse(headers) as TakenDelivery["headers"],
    details: JSON.parse(details) as TakenDelivery["details"],
  };
}
