import {
  type Conflict,
  type Fault,
  type FaultName,
  type ParamsOf,
  type Problem,
  type Problems,
  SESSION_HEADER,
  STUDIO_ROUTES,
  type StoredRecord,
  type StudioCalls,
  type StudioRoute,
  type StudioRouteName,
} from "../contract.ts";
import { sessionHalf } from "./session-half.ts";

type Given<Key extends string, Value> = Value extends undefined ? unknown : { readonly [key in Key]: Value };

type Sent<Name extends StudioRouteName> = ([ParamsOf<Name>] extends [never]
  ? unknown
  : Readonly<Record<ParamsOf<Name>, string | number>>) &
  Given<"query", StudioCalls[Name]["query"]> &
  Given<"body", StudioCalls[Name]["body"]>;

/** A call that the server refused, or that never reached it. */
export class Refusal extends Error {
  readonly fault: FaultName | "unreachable";
  readonly problems: readonly Problem[];
  /** What is stored now, where somebody else saved in between. */
  readonly stored: StoredRecord | undefined;

  constructor(answer: (Fault & Partial<Problems> & Partial<Conflict>) | undefined) {
    super(answer?.message ?? "The studio cannot be reached. Nothing is lost: try again in a moment.");
    this.fault = answer?.fault ?? "unreachable";
    this.problems = answer?.problems ?? [];
    this.stored = answer?.stored;
  }
}

/** How long a call may take, once what it sends is there. Longer than the studio itself takes for any. */
const PATIENCE_MS = 45_000;
/** A line that takes fewer bytes in a millisecond is as good as none. */
const SLOWEST_LINE = 10;

/** Told whenever a call finds that nobody is signed in any more. */
export const whenSignedOut = { tell: () => {} };

/** Calls one route of the studio's table, with the session that this page keeps unless there is another to try. */
export async function call<Name extends StudioRouteName>(
  name: Name,
  sent: Sent<Name>,
  half = sessionHalf.read(),
): Promise<StudioCalls[Name]["answer"]> {
  const route: StudioRoute = STUDIO_ROUTES[name];
  const { query, body, ...places } = sent as {
    query?: Record<string, string | undefined>;
    body?: unknown;
  } & Record<string, string>;
  const content = route.takes ? (body as Blob) : body === undefined ? null : JSON.stringify(body);
  const patience = new AbortController();
  // Else whatever takes a call and never answers would keep its button busy for ever.
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS + sizeOf(content) / SLOWEST_LINE);
  try {
    const response = await answerTo(addressOf(route.path, places, query), {
      method: route.method,
      headers: headersFor(route, body, half),
      body: content,
      signal: patience.signal,
    });
    if (!response.ok) {
      const refusal = new Refusal(await faultOf(response));
      if (refusal.fault === "signed-out") whenSignedOut.tell();
      throw refusal;
    }
    return (await bodyOf(response, route)) as StudioCalls[Name]["answer"];
  } finally {
    clearTimeout(timer);
  }
}

/** Bears with a call that ends or removes what is gone already: somebody has done that elsewhere. */
export async function orGone(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof Refusal) || error.fault !== "not-found") throw error;
  }
}

function sizeOf(content: Blob | string | null): number {
  return content instanceof Blob ? content.size : (content?.length ?? 0);
}

/** An answer that is cut off, or not the studio's (a proxy asks to sign in, or a network does), is none. */
async function bodyOf(response: Response, { answers }: StudioRoute): Promise<unknown> {
  try {
    return await (answers === "file"
      ? response.blob()
      : response.status === 204
        ? undefined
        : response.json());
  } catch {
    throw new Refusal(undefined);
  }
}

function addressOf(
  path: string,
  places: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(places[name] ?? ""));
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`;
}

function headersFor(route: StudioRoute, body: unknown, half: string | null): Record<string, string> {
  return {
    ...(half !== null && { [SESSION_HEADER]: half }),
    ...(body !== undefined && !route.takes && { "Content-Type": "application/json" }),
  };
}

async function answerTo(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch {
    throw new Refusal(undefined);
  }
}

/** What a proxy in between answers with is no fault of the studio's form. */
async function faultOf(response: Response): Promise<Fault | undefined> {
  try {
    const fault = (await response.json()) as Partial<Fault>;
    return typeof fault.message === "string" ? (fault as Fault) : undefined;
  } catch {
    return undefined;
  }
}
