import { DAY_MS } from "../records/days.ts";

/** Who is let into the studio, and by what. Of every secret only the hash comes here. */
export interface Access {
  readonly tickets: Tickets;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly identities: Identities;
}

/** What works once, and for a while. */
export interface Tickets {
  /** A new one for a user takes the place of those of the same kind. The user must exist. */
  issue(ticket: NewTicket): Promise<void>;
  /** Spends nothing. */
  find(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null>;
  /** Spends it: of several who try at once, one gets it. */
  take(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null>;
}

/** No ticket is made for longer. One that would last longer is of a clock that has been set back since, and is none. */
export const MOST_TICKET_MS = 30 * DAY_MS;

/** The operator's link, an owner's invitation, a question to a passkey, a way to the OpenID provider and back. */
export type TicketKind = "link" | "invitation" | "passkey" | "oidc";

export interface NewTicket {
  readonly hash: Uint8Array;
  readonly kind: TicketKind;
  /** Null for the operator, and where the user is not known yet. */
  readonly userId: string | null;
  readonly data: string;
  readonly expiresAt: number;
}

export interface Ticket {
  readonly userId: string | null;
  readonly email: string | null;
  readonly data: string;
  readonly expiresAt: number;
}

export interface Sessions {
  /** The user must exist. */
  open(session: NewSession): Promise<SessionInfo>;
  find(hash: Uint8Array): Promise<SessionInfo | null>;
  /** Notes that a session is in use. */
  see(hash: Uint8Array): Promise<void>;
  /** Those of a user or, without one, of operators, the newest first. */
  of(userId: string | null): Promise<SessionInfo[]>;
  /** False where there is no such session of theirs. */
  end(userId: string | null, id: string): Promise<boolean>;
  endAll(userId: string | null): Promise<void>;
  /** Removes those that began, or were last seen, so long before this time, or so long after it. */
  removeOld(now: number, ageMs: number, idleMs: number): Promise<void>;
}

export type SessionWay = "link" | "invitation" | "passkey" | "oidc";

export interface NewSession {
  readonly hash: Uint8Array;
  readonly userId: string | null;
  readonly way: SessionWay;
  readonly device: string;
}

export interface SessionInfo {
  readonly id: string;
  /** Null for an operator. */
  readonly userId: string | null;
  readonly way: SessionWay;
  readonly device: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

export interface Passkeys {
  /** The user must exist. */
  add(userId: string, passkey: NewPasskey): Promise<PasskeyInfo>;
  of(userId: string): Promise<PasskeyInfo[]>;
  find(id: string): Promise<PasskeyInfo | null>;
  noteUse(id: string, counter: number): Promise<void>;
  /** With the last one, all sessions of the user end. False where there is no such passkey of the user's. */
  remove(userId: string, id: string): Promise<boolean>;
}

export interface NewPasskey {
  /** As the authenticator names it. */
  readonly id: string;
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface PasskeyInfo extends NewPasskey {
  readonly userId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** What a passkey is added with, in the order of the columns of every engine. */
export type PasskeyColumns = [
  userId: string,
  id: string,
  name: string,
  publicKey: Uint8Array,
  counter: number,
  transports: string,
  createdAt: number,
];

/** A passkey as both engines store it. */
export interface PasskeyRow extends Omit<PasskeyInfo, "transports"> {
  readonly transports: string;
}

export function passkeyOf({ transports, ...row }: PasskeyRow): PasskeyInfo {
  return { ...row, transports: transports.split(",").filter(Boolean) };
}

/** Whom an OpenID provider means. */
export interface Identities {
  find(issuer: string, subject: string): Promise<string | null>;
  /** False where the user is bound to another subject of the issuer, or the subject to another user. */
  bind(issuer: string, subject: string, userId: string): Promise<boolean>;
}

/**
 * A condition on rows that are joined with their users, where there are any: a row whose user is not there is nobody's.
 * Without it, the row would be one of the operator's.
 */
export const HAS_ITS_USER = "(user_number IS NULL OR users.number IS NOT NULL)";

/** Thrown where something is to be given to a user who is not there, or no longer. */
export class NoSuchUser extends Error {
  override readonly name = "NoSuchUser";

  constructor() {
    super("there is no such user");
  }
}
