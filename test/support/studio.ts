import type { Network } from "../../src/addresses.ts";
import { LIMIT_WINDOW_SECONDS } from "../../src/contract/routes.ts";
import type { SlidingWindow } from "../../src/limits/limiter.ts";
import { MemoryWindow } from "../../src/limits/memory-window.ts";
import type { LogLevel } from "../../src/logging/level.ts";
import { Log } from "../../src/logging/log.ts";
import type { UserRecord } from "../../src/records/record.ts";
import type { Store } from "../../src/store/store.ts";
import {
  SESSION_HEADER,
  STUDIO_ROUTES,
  type StudioRoute,
  type StudioRouteName,
} from "../../src/studio/contract.ts";
import { invite, operatorLink } from "../../src/studio/invitations.ts";
import type { Provider } from "../../src/studio/oidc.ts";
import { loadPage, type PageFiles } from "../../src/studio/page/files.ts";
import { startStudio } from "../../src/studio/server.ts";
import { STUDIO_ENDPOINTS } from "../../src/studio/steps/limit.ts";
import { HandClock } from "./clock.ts";
import { type Engine, engineInUse, type TestDatabase } from "./engines.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

interface Options {
  readonly engine?: Engine;
  readonly records?: readonly unknown[];
  readonly studioUrl?: string;
  readonly publicUrl?: string;
  readonly provider?: Provider;
  readonly trustedProxies?: readonly Network[];
  readonly hookPrivate?: boolean;
  /** Counts in memory unless said otherwise. */
  readonly limiter?: SlidingWindow;
  readonly logLevel?: LogLevel;
  /** The real page, made from its source, once for all tests of a file. Without it there is a short one. */
  readonly withPage?: boolean;
  /** Real time, for a browser: it drops cookies that are too old. */
  readonly now?: () => number;
}

export const PUBLIC_URL = "https://links.example";

const SHORT_PAGE: PageFiles = {
  html: "<!doctype html><title>Vitrine studio</title>",
  assets: new Map([
    ["/chunk-1.js", { type: "text/javascript", bytes: Buffer.from("1"), gzipped: Bun.gzipSync("1") }],
  ]),
};

let madePage: Promise<PageFiles> | undefined;

function realPage(): Promise<PageFiles> {
  madePage ??= loadPage();
  return madePage;
}

/** Both halves of a session, as a browser would send them. */
export type Halves = Readonly<Record<"Cookie" | typeof SESSION_HEADER, string>>;

/** The real studio on a free port with a real store, whose clock the test moves. */
export interface TestStudio extends AsyncDisposable {
  /** As browsers know it: `http://localhost:PORT`, unless there is a public address. */
  readonly url: string;
  /** Where its port is, by number. */
  readonly socketUrl: string;
  readonly database: TestDatabase;
  readonly store: Store;
  readonly clock: HandClock;
  record(email?: string): Promise<UserRecord>;
  logged(): Record<string, unknown>[];
  /** Everything in the log so far, as text. */
  logText(): string;
  operatorLink(): Promise<string>;
  invitation(email?: string): Promise<string>;
  /** A session of the operator, by a link, or of an owner, by an invitation. */
  enterAsOperator(): Promise<Halves>;
  enterAsOwner(email?: string): Promise<Halves>;
  /** Calls a route of the table. */
  call(name: StudioRouteName, options?: CallOptions): Promise<Response>;
}

export interface CallOptions {
  readonly as?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startTestStudio(options: Options = {}): Promise<TestStudio> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await (options.engine ?? engineInUse()).create({ mayHaveSchema: true }));
  const clock = new HandClock();
  const now = options.now ?? clock.now;
  const store = stack.adopt(await database.lendStore(now), (it) => it.close());
  await store.records.save((options.records ?? [writtenRecord(1), writtenRecord(2)]).map(checkedRecord));
  let output = "";
  const log = new Log({
    level: options.logLevel ?? "info",
    readable: false,
    write: (bytes) => (output += new TextDecoder().decode(bytes)),
  });
  const studio = startStudio(
    {
      store,
      limiter: options.limiter ?? new MemoryWindow(STUDIO_ENDPOINTS, LIMIT_WINDOW_SECONDS, now),
      log,
      page: options.withPage ? await realPage() : SHORT_PAGE,
      studioUrl: options.studioUrl ?? "",
      publicUrl: options.publicUrl ?? PUBLIC_URL,
      provider: options.provider,
      trustedProxies: options.trustedProxies ?? [],
      hookPrivate: options.hookPrivate ?? false,
      now,
    },
    { host: "127.0.0.1", port: 0 },
  );
  stack.defer(() => studio.stop());
  const socketUrl = `http://127.0.0.1:${studio.port}`;
  const own = { Host: new URL(studio.url).host, Origin: studio.url };

  const call: TestStudio["call"] = (name, { as = {}, params = {}, query = {}, body, headers = {} } = {}) => {
    const { method, path, takes }: StudioRoute = STUDIO_ROUTES[name];
    const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? "x"));
    const given = new URLSearchParams(query).toString();
    const isJson = body !== undefined && !takes;
    return fetch(`${socketUrl}${filled}${given && `?${given}`}`, {
      method,
      headers: { ...own, ...as, ...(isJson && { "Content-Type": "application/json" }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
    });
  };
  const enter = async (name: "enterByLink" | "takeInvitation", url: string): Promise<Halves> => {
    const response = await call(name, { body: { secret: url.slice(url.indexOf("=") + 1) } });
    if (response.status !== 200) throw new Error(`not let in: ${await response.text()}`);
    const { session } = (await response.json()) as { session: string };
    const [cookie = ""] = response.headers.getSetCookie();
    return { Cookie: cookie.split(";")[0] ?? "", [SESSION_HEADER]: session };
  };
  const entrance = () => ({ access: store.access, origin: studio.url, now: now() });
  const record = async (email = writtenRecord(1).email) => {
    const found = await store.records.find(email);
    if (!found) throw new Error(`no record of ${email}`);
    return found;
  };
  const logText = () => {
    log.flush();
    return output;
  };

  const tested: Omit<TestStudio, typeof Symbol.asyncDispose> = {
    url: studio.url,
    socketUrl,
    database,
    store,
    clock,
    record,
    logText,
    logged: () =>
      logText()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    operatorLink: async () => (await operatorLink(entrance())).url,
    invitation: async (email) => (await invite((await record(email)).id, entrance())).url,
    enterAsOperator: async () => enter("enterByLink", await tested.operatorLink()),
    enterAsOwner: async (email) => enter("takeInvitation", await tested.invitation(email)),
    call,
  };
  const opened = stack.move();
  return { ...tested, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
