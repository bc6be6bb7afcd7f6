import { EARLIEST_INSTANT, LATEST_INSTANT } from "../contract/instants.ts";

/** When a key was made and when it ends, in milliseconds since 1970; null where no end is set. */
interface Lifetime {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

type KeyStatus = "active" | "revoked" | "expired";

export function keyStatus({ expiresAt, revokedAt }: Omit<Lifetime, "createdAt">, now: number): KeyStatus {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

/** A key that no longer works cannot be replaced by one that does. */
export class KeyEnded extends Error {
  override readonly name = "KeyEnded";
  readonly status: KeyStatus;

  constructor(status: KeyStatus) {
    super(`the key is ${status}`);
    this.status = status;
  }
}

export interface Rotation {
  /** The end of the new key, which lives as long from now as the old one did from its making. */
  readonly expiresAt: number | null;
  /** The end of the old key: after the grace, or before it where the key expires sooner. */
  readonly oldExpiresAt: number;
}

/** The ends of both keys where one takes the place of another. Throws `KeyEnded`. */
export function rotationOf(old: Lifetime, grace: number, now: number): Rotation {
  const status = keyStatus(old, now);
  if (status !== "active") throw new KeyEnded(status);
  const { createdAt, expiresAt } = old;
  return {
    expiresAt: expiresAt === null ? null : representable(now + (expiresAt - createdAt)),
    oldExpiresAt: representable(Math.min(now + grace, expiresAt ?? Number.POSITIVE_INFINITY)),
  };
}

/** The nearest instant that a timestamp can name: a key for longer than that ends with the year 9999. */
export function representable(instant: number): number {
  return Math.min(Math.max(instant, EARLIEST_INSTANT), LATEST_INSTANT);
}

/** A time of a key as text, which a database that others have written to cannot make fail. Nothing stays nothing. */
export function timestampOf(instant: number): string;
export function timestampOf(instant: number | null): string | null;
export function timestampOf(instant: number | null): string | null {
  return instant === null ? null : new Date(representable(instant)).toISOString();
}
