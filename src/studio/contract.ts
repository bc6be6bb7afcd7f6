import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { KeyPath, View } from "../contract/access.ts";
import type { Difference } from "../records/differences.ts";
import type { UserRecord } from "../records/record.ts";
import type { HookEvent } from "../store/hooks.ts";

/*
 * What the studio's server and its page say to each other: one table of routes, and the types of what goes in and
 * comes out. The page imports this file, so that nothing here needs the server at run time.
 *
 * A request is JSON, unless its route says otherwise, and carries no more than its cookie and the header below. An
 * answer is JSON as well, unless its route has another `answers`. What fails is answered with a `Fault`.
 */

/**
 * Half of a session. The other half is a cookie that no script can read. The page keeps this one in `localStorage`,
 * which belongs to one origin, port included: a cookie that another port of the same host got, or set, is no way in.
 * Since no form and no link sends it, a request that has it was made by the page.
 */
export const SESSION_HEADER = "Vitrine-Session";

/** What the page finds behind `#` when somebody opens a link, as `#link=SECRET`. It removes it at once. */
export const FRAGMENTS = {
  /** The operator's link: `enterByLink`. */
  link: "link",
  /** An owner's invitation: `lookAtInvitation`, and once the owner agrees, `takeInvitation`. */
  invitation: "invitation",
  /** The half of a session that the page keeps, after somebody came back from the OpenID provider. */
  session: "session",
} as const;

/** Pages that a browser opens, and no calls. Signing in at the provider ends at `/#session=…`. */
export const PAGES = {
  home: "/",
  oidcStart: "/oidc/start",
  oidcCallback: "/oidc/callback",
} as const;

/**
 * Who may call a route. An `owner` is the owner of the `:user` in the path, and the operator may do what an owner may;
 * `self` is the owner alone. To anybody else the user is not there: 404.
 */
type Who = "anybody" | "signed-in" | "operator" | "owner" | "self";

export interface StudioRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/${string}`;
  readonly who: Who;
  /** Which count bounds how often it is called, by address and by account. */
  readonly limit: "reads" | "saves" | "sign-ins";
  /** What the body of a request is, where that is no JSON. */
  readonly takes?: "picture" | "record file";
  /** What an answer is, where that is no JSON. */
  readonly answers?: "file";
}

export const STUDIO_ROUTES = {
  showSession: { method: "GET", path: "/api/session", who: "anybody", limit: "reads" },
  enterByLink: { method: "POST", path: "/api/session/link", who: "anybody", limit: "sign-ins" },
  signOut: { method: "DELETE", path: "/api/session", who: "signed-in", limit: "saves" },

  lookAtInvitation: { method: "POST", path: "/api/invitations/look", who: "anybody", limit: "sign-ins" },
  takeInvitation: { method: "POST", path: "/api/invitations/take", who: "anybody", limit: "sign-ins" },

  beginPasskeySignIn: {
    method: "POST",
    path: "/api/passkey-sign-in/options",
    who: "anybody",
    limit: "sign-ins",
  },
  signInByPasskey: { method: "POST", path: "/api/passkey-sign-in", who: "anybody", limit: "sign-ins" },

  listPasskeys: { method: "GET", path: "/api/users/:user/passkeys", who: "owner", limit: "reads" },
  beginPasskey: { method: "POST", path: "/api/users/:user/passkeys/options", who: "self", limit: "saves" },
  addPasskey: { method: "POST", path: "/api/users/:user/passkeys", who: "self", limit: "saves" },
  removePasskey: {
    method: "DELETE",
    path: "/api/users/:user/passkeys/:passkey",
    who: "owner",
    limit: "saves",
  },

  listSessions: { method: "GET", path: "/api/sessions", who: "signed-in", limit: "reads" },
  endSession: { method: "DELETE", path: "/api/sessions/:session", who: "signed-in", limit: "saves" },
  endAllSessions: { method: "DELETE", path: "/api/sessions", who: "signed-in", limit: "saves" },

  listUsers: { method: "GET", path: "/api/users", who: "operator", limit: "reads" },
  createUser: { method: "POST", path: "/api/users", who: "operator", limit: "saves" },
  inviteUser: { method: "POST", path: "/api/users/:user/invitation", who: "operator", limit: "saves" },
  deleteUser: { method: "POST", path: "/api/users/:user/deletion", who: "owner", limit: "saves" },

  showRecord: { method: "GET", path: "/api/users/:user/record", who: "owner", limit: "reads" },
  checkRecord: { method: "POST", path: "/api/users/:user/record/check", who: "owner", limit: "reads" },
  saveRecord: { method: "PUT", path: "/api/users/:user/record", who: "owner", limit: "saves" },
  previewPage: { method: "POST", path: "/api/users/:user/preview", who: "owner", limit: "reads" },

  exportRecord: {
    method: "GET",
    path: "/api/users/:user/export",
    who: "owner",
    limit: "reads",
    answers: "file",
  },
  readUpload: {
    method: "POST",
    path: "/api/users/:user/upload",
    who: "owner",
    limit: "saves",
    takes: "record file",
  },

  listVersions: { method: "GET", path: "/api/users/:user/history", who: "owner", limit: "reads" },
  showVersion: { method: "GET", path: "/api/users/:user/history/:version", who: "owner", limit: "reads" },
  restoreVersion: {
    method: "POST",
    path: "/api/users/:user/history/:version/restore",
    who: "owner",
    limit: "saves",
  },

  showNumbers: { method: "GET", path: "/api/users/:user/numbers", who: "owner", limit: "reads" },
  downloadNumbers: {
    method: "GET",
    path: "/api/users/:user/numbers.csv",
    who: "owner",
    limit: "reads",
    answers: "file",
  },

  listKeys: { method: "GET", path: "/api/users/:user/keys", who: "owner", limit: "reads" },
  createKey: { method: "POST", path: "/api/users/:user/keys", who: "owner", limit: "saves" },
  rotateKey: { method: "POST", path: "/api/users/:user/keys/:key/rotation", who: "owner", limit: "saves" },
  revokeKey: { method: "DELETE", path: "/api/users/:user/keys/:key", who: "owner", limit: "saves" },

  listHooks: { method: "GET", path: "/api/users/:user/hooks", who: "owner", limit: "reads" },
  addHook: { method: "POST", path: "/api/users/:user/hooks", who: "owner", limit: "saves" },
  testHook: { method: "POST", path: "/api/users/:user/hooks/:hook/test", who: "owner", limit: "saves" },
  removeHook: { method: "DELETE", path: "/api/users/:user/hooks/:hook", who: "owner", limit: "saves" },

  drawQrCode: {
    method: "GET",
    path: "/api/users/:user/qr/:slug",
    who: "owner",
    limit: "reads",
    answers: "file",
  },
  uploadPicture: {
    method: "POST",
    path: "/api/users/:user/pictures",
    who: "owner",
    limit: "saves",
    takes: "picture",
  },
} as const satisfies Record<string, StudioRoute>;

export type StudioRouteName = keyof typeof STUDIO_ROUTES;

/** The names behind the colons of a path. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What varies in the path of a route. */
export type ParamsOf<Name extends StudioRouteName> = NamesIn<(typeof STUDIO_ROUTES)[Name]["path"]>;

/** What each route answers with, and takes as its body or as its query, if it does. `undefined` is nothing: 204. */
interface Calls {
  showSession: { answer: SessionState };
  enterByLink: { body: Secret; answer: SignedIn };
  signOut: { answer: undefined };

  /** Spends nothing. */
  lookAtInvitation: { body: Secret; answer: Invitation };
  takeInvitation: { body: Secret; answer: SignedIn };

  beginPasskeySignIn: { answer: PublicKeyCredentialRequestOptionsJSON };
  signInByPasskey: { body: AuthenticationResponseJSON; answer: SignedIn };

  listPasskeys: { answer: Passkey[] };
  beginPasskey: { answer: PublicKeyCredentialCreationOptionsJSON };
  addPasskey: { body: NewPasskey; answer: Passkey };
  /** The last one ends all sessions of its owner, this one too where it is the owner's. */
  removePasskey: { answer: undefined };

  /** The sessions of the owner, or those of operators. */
  listSessions: { answer: Session[] };
  endSession: { answer: undefined };
  /** Ends this one as well. */
  endAllSessions: { answer: undefined };

  listUsers: { query: UserSearch; answer: UserList };
  createUser: { body: NewUser; answer: User };
  inviteUser: { answer: InvitationLink };
  deleteUser: { body: Deletion; answer: undefined };

  showRecord: { answer: StoredRecord };
  /** Finds out what saving would say and do, and writes nothing. */
  checkRecord: { body: { record: unknown }; answer: RecordCheck };
  /** 409 is answered with a `Conflict`, 422 with `Problems`. */
  saveRecord: { body: RecordSave; answer: SavedRecord };
  previewPage: { body: PreviewRequest; answer: Preview };

  exportRecord: { query: { format: "yaml" | "json" }; answer: Blob };
  /** The body is the text of a file in JSON or YAML. Writes nothing: what it answers can be saved. */
  readUpload: { body: Blob; answer: RecordCheck };

  /** The newest first. The first one is the record as it is now. */
  listVersions: { answer: Version[] };
  showVersion: { answer: VersionDetails };
  /** 409 and 422 as for saving. */
  restoreVersion: { body: { revision: string }; answer: SavedRecord };

  showNumbers: { query: NumbersPeriod; answer: Numbers };
  downloadNumbers: { query: NumbersPeriod; answer: Blob };

  listKeys: { answer: Key[] };
  createKey: { body: NewKey; answer: MintedKey };
  rotateKey: { body: KeyRotation; answer: MintedKey };
  revokeKey: { answer: Key };

  listHooks: { answer: Hook[] };
  addHook: { body: NewHook; answer: AddedHook };
  /** Sends a message at once, and says how that ended. */
  testHook: { answer: HookTest };
  removeHook: { answer: undefined };

  drawQrCode: { query: { format: "svg" | "png" }; answer: Blob };
  /**
   * The body is a JPEG, PNG or WebP of at most 256 KB. What is answered goes into `avatarUrl`. A picture that the
   * record no longer shows is removed when that is saved, so that taking one away is a change of the record alone.
   */
  uploadPicture: { body: Blob; answer: { url: string } };
}

/** The same in full: what a route does not take is `undefined`. */
export type StudioCalls = {
  readonly [Name in StudioRouteName]: {
    readonly query: Calls[Name] extends { query: infer Query } ? Query : undefined;
    readonly body: Calls[Name] extends { body: infer Body } ? Body : undefined;
    readonly answer: Calls[Name]["answer"];
  };
};

/** Instants are texts such as 2026-04-12T08:30:00.000Z. */
type Instant = string;

export type { Difference };

interface Secret {
  readonly secret: string;
}

export interface SessionState {
  /** Null where nobody is signed in. */
  readonly who: Visitor | null;
  readonly ways: WaysIn;
  /** Where pages of link trees are, without a slash at the end. */
  readonly publicUrl: string;
}

/** How people can sign in here. */
export interface WaysIn {
  readonly passkey: boolean;
  readonly oidc: boolean;
}

export type Visitor = { readonly kind: "operator" } | { readonly kind: "owner"; readonly user: User };

export interface SignedIn {
  /** For `SESSION_HEADER`. */
  readonly session: string;
  readonly who: Visitor;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly profileSlug: string;
  readonly linkTrees: number;
  readonly activeKeys: number;
  /** Null where the record is damaged. */
  readonly updatedAt: Instant | null;
}

interface UserSearch {
  /** A part of an e-mail address or of a profile's slug, in either case. All users where it is left out. */
  readonly search?: string;
  /** The `next` of the list before. */
  readonly after?: string;
}

export interface UserList {
  readonly users: readonly User[];
  /** Absent with the last ones. */
  readonly next?: string;
}

interface NewUser {
  readonly email: string;
  /** The slug of the profile. */
  readonly slug: string;
  readonly name?: string;
}

interface Deletion {
  /** The user's e-mail address, typed out. */
  readonly email: string;
}

export interface Invitation {
  readonly email: string;
  readonly expiresAt: Instant;
}

export interface InvitationLink {
  /** To be handed to the owner. It is shown once. */
  readonly url: string;
  readonly expiresAt: Instant;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

interface NewPasskey {
  /** What the owner calls it, such as "phone". */
  readonly name: string;
  readonly response: RegistrationResponseJSON;
}

export interface Session {
  readonly id: string;
  readonly way: "link" | "invitation" | "passkey" | "oidc";
  /** The browser and system in a few words, such as "Firefox on Linux". */
  readonly device: string;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  readonly isThisOne: boolean;
}

export interface StoredRecord {
  readonly record: UserRecord;
  /** Says which version of the record this is. A save carries the one that it began from. */
  readonly revision: string;
}

interface RecordSave {
  /** As `showRecord` has it. New jobs, link trees and links have no id yet. */
  readonly record: unknown;
  readonly revision: string;
}

export interface SavedRecord extends StoredRecord {
  readonly change: "updated" | "unchanged";
}

/** Something wrong with a record, and where: `["linkTrees", 0, "links", 2, "url"]`. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface RecordCheck {
  /** As it would be stored. Null where there are problems. */
  readonly record: UserRecord | null;
  readonly problems: readonly Problem[];
  readonly differences: readonly Difference[];
}

export interface PreviewRequest {
  /** The record as it is being edited. */
  readonly record: unknown;
  /** Which of its link trees, by its place among them. */
  readonly tree: number;
  readonly scheme: "light" | "dark";
}

/** A page to be shown as the `srcdoc` of a frame with an empty `sandbox`. */
export type Preview =
  | { readonly html: string; readonly problems: readonly [] }
  | { readonly html: null; readonly problems: readonly Problem[] };

/** How a version of a record came to be. */
export type Way = "created" | "studio" | "import" | "restore";

export interface Version {
  readonly version: number;
  readonly savedAt: Instant;
  /** Null where that is no longer known. */
  readonly way: Way | null;
  /** What differs from the version before. Empty for the first that is known. */
  readonly differences: readonly Difference[];
  readonly isCurrent: boolean;
}

export interface VersionDetails extends Version {
  readonly record: UserRecord;
  /** What restoring it would change in the record as it is now. */
  readonly wouldChange: readonly Difference[];
}

/** For how many days numbers are told. */
export const PERIODS = ["7", "30", "90", "365"] as const;

export interface NumbersPeriod {
  readonly days: (typeof PERIODS)[number];
}

export interface Totals {
  readonly views: number;
  readonly clicks: number;
}

export interface DayNumbers extends Totals {
  /** Such as 2026-04-12, in UTC. */
  readonly day: string;
}

export interface LinkNumbers {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly clicks: number;
}

export interface TreeNumbers extends Totals {
  readonly slug: string;
  readonly title: string;
  /** Clicks on links that are no longer there are only among those of the tree. */
  readonly links: readonly LinkNumbers[];
  readonly days: readonly DayNumbers[];
  /** The same number of days before those. */
  readonly before: Totals;
}

export interface Numbers extends Totals {
  /** The first day and the last one, which is today (UTC) and not over. */
  readonly from: string;
  readonly to: string;
  /** All link trees together. */
  readonly days: readonly DayNumbers[];
  readonly trees: readonly TreeNumbers[];
  /** The same number of days before `from`. */
  readonly before: Totals;
}

export type { HookEvent };

/** Where a hook leads is a secret, so that no more of it is shown than the origin. */
export interface Hook {
  readonly id: string;
  readonly origin: string;
  /** The names of the headers that are sent along. */
  readonly headers: readonly string[];
  readonly events: readonly HookEvent[];
  readonly isSigned: boolean;
  readonly status: "active" | "failing" | "disabled";
  /** Since when it fails or is disabled. */
  readonly since: Instant | null;
  readonly createdAt: Instant;
}

export interface NewHook {
  readonly url: string;
  readonly events: readonly HookEvent[];
  readonly isSigned: boolean;
  /** Each `Name: value`. */
  readonly headers: readonly string[];
  /** What is sent where messages are not signed. */
  readonly body: string | null;
}

/** The secret is shown this once. */
export interface AddedHook {
  readonly hook: Hook;
  readonly secret: string | null;
}

export interface HookTest {
  readonly wentWell: boolean;
  /** How its receiver answered, or why not. */
  readonly message: string;
  readonly hook: Hook;
}

export interface Key {
  readonly id: string;
  readonly name: string | null;
  /** Everything, or what the owner shows to everybody. */
  readonly view: View;
  /** The paths that it is confined to, or null where it may read all. */
  readonly paths: readonly KeyPath[] | null;
  readonly status: "active" | "revoked" | "expired";
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

interface NewKey {
  readonly name: string | null;
  /** A span such as 90d, or a date. Null never expires. */
  readonly expires: string | null;
  /** `full` unless said otherwise. */
  readonly view?: View;
  /** All paths unless said otherwise. */
  readonly paths?: readonly KeyPath[] | null;
}

interface KeyRotation {
  /** How long the old key goes on working: a span such as 24h, or 0. */
  readonly grace: string;
}

export interface MintedKey {
  /** The key itself. It is shown once. */
  readonly secret: string;
  readonly key: Key;
}

/** What a refused or failed request is answered with. */
export interface Fault {
  readonly fault: FaultName;
  /** A sentence for people. */
  readonly message: string;
}

/** 422 */
export interface Problems extends Fault {
  readonly problems: readonly Problem[];
}

/** 409: somebody else saved in between. */
export interface Conflict extends Fault {
  /** The record as it is stored now, by the other save. */
  readonly stored: StoredRecord;
  /** The revision that the refused save began from. */
  readonly revision: string;
}

/** The names of all faults, with their statuses. */
export const FAULT_STATUS = {
  malformed: 400,
  "signed-out": 401,
  "not-allowed": 403,
  "not-found": 404,
  "wrong-method": 405,
  conflict: 409,
  /** A link, an invitation or a challenge that was used, has expired, or never was. */
  spent: 410,
  "too-large": 413,
  "not-a-picture": 415,
  "wrong-host": 421,
  problems: 422,
  "too-many": 429,
  internal: 500,
  unavailable: 503,
} as const;

export type FaultName = keyof typeof FAULT_STATUS;
