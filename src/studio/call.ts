import type { SessionInfo } from "../store/access.ts";
import type { UserSummary } from "../store/store.ts";
import type { StudioAddress } from "./address.ts";
import type { ParamsOf, STUDIO_ROUTES, StudioCalls, StudioRouteName, Visitor } from "./contract.ts";
import type { StudioCookies } from "./cookies.ts";
import type { FileContent } from "./file-thread.ts";
import type { StudioParts } from "./parts.ts";
import type { SessionBook } from "./sessions.ts";

/** The studio while it runs. */
export interface Studio extends StudioParts {
  readonly address: StudioAddress;
  readonly cookies: StudioCookies;
  readonly sessions: SessionBook;
}

type BodyOf<Name extends StudioRouteName> = (typeof STUDIO_ROUTES)[Name] extends { takes: infer Kind }
  ? Kind extends "picture"
    ? Uint8Array<ArrayBuffer>
    : FileContent
  : StudioCalls[Name]["body"];

/** A session and whose it is. */
export interface Visit {
  readonly session: SessionInfo;
  readonly visitor: Visitor;
}

/** A call that was let in, with what came along. */
export interface Call<Name extends StudioRouteName = StudioRouteName> {
  readonly studio: Studio;
  readonly request: Request;
  readonly params: Readonly<Record<ParamsOf<Name>, string>>;
  readonly query: URLSearchParams;
  readonly body: BodyOf<Name>;
  readonly visit: (typeof STUDIO_ROUTES)[Name]["who"] extends "anybody" ? Visit | null : Visit;
  /** The user of the path. */
  readonly user: (typeof STUDIO_ROUTES)[Name]["path"] extends `/api/users/:user${string}`
    ? UserSummary
    : undefined;
  /** Counts a call of the account that turned out to be meant. */
  countAccount(userId: string): Promise<void>;
  /** Says who it was, for the log, where that is known only now. */
  name(userId: string | null): void;
  /** To be sent along with the answer. */
  setCookie(cookie: string): void;
}

/** What a handler answers with: JSON, nothing, or a response of its own for a file. */
type Answer<Name extends StudioRouteName> = StudioCalls[Name]["answer"] extends Blob
  ? Response
  : StudioCalls[Name]["answer"];

export type Handlers = {
  readonly [Name in StudioRouteName]: (call: Call<Name>) => Promise<Answer<Name>>;
};

/** Some of the handlers, by what they are about. */
export type SomeHandlers<Name extends StudioRouteName> = Pick<Handlers, Name>;
