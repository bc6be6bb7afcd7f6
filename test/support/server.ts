import { type Network, parseNetwork } from "../../src/addresses.ts";
import type { KeyPath, View } from "../../src/contract/access.ts";
import { LIMIT_WINDOW_SECONDS, LIMITED_ROUTES } from "../../src/contract/routes.ts";
import { startServer } from "../../src/http/server.ts";
import { Cors } from "../../src/http/steps/cors.ts";
import { FAILED_ENDPOINT, FailedKeys } from "../../src/http/steps/failed-keys.ts";
import type { Patience } from "../../src/http/steps/patience.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { MemoryWindow } from "../../src/limits/memory-window.ts";
import type { LogLevel } from "../../src/logging/level.ts";
import { Log } from "../../src/logging/log.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { DrawingProcess } from "../../src/serving/drawing-process.ts";
import { Previews } from "../../src/serving/previews.ts";
import { RenditionKeeper } from "../../src/serving/rendition-keeper.ts";
import type { CountWriter } from "../../src/store/count-writer.ts";
import { MakingReader } from "../../src/store/making-reader.ts";
import type { DocumentReader } from "../../src/store/reader.ts";
import type { RenditionWriter } from "../../src/store/rendition-writer.ts";
import type { Store, TreeCount } from "../../src/store/store.ts";
import type { StoredReader } from "../../src/store/stored-reader.ts";
import { GroupCommit } from "../../src/tracking/group-commit.ts";
import type { KeyUse } from "../../src/tracking/key-use.ts";
import { Visits } from "../../src/tracking/visits.ts";
import { HandClock } from "./clock.ts";
import { type Engine, engineInUse, type TestDatabase } from "./engines.ts";
import { VITRINE } from "./program.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

interface Options {
  readonly engine?: Engine;
  /** One that is there already, and stays. */
  readonly database?: TestDatabase;
  readonly records?: readonly unknown[];
  readonly corsOrigins?: readonly string[];
  /** How many wrong keys an address may send in a minute. */
  readonly limitFailed?: number;
  /** Whether keys are looked up as in a database elsewhere. */
  readonly isRemote?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly limits?: { readonly full: number; readonly default: number };
  /** Stands between what is stored and what is made of it. */
  readonly wrapStored?: (reader: StoredReader) => StoredReader;
  /** Stands between the server and what keeps pages. */
  readonly wrapRenditions?: (writer: RenditionWriter) => RenditionWriter;
  /** Stands between the server and its store, for what a sound store never does. */
  readonly wrapReader?: (reader: DocumentReader) => DocumentReader;
  readonly keyUse?: Pick<KeyUse, "note">;
  /** Stands between the server and its counters. */
  readonly wrapWriter?: (writer: CountWriter) => Pick<CountWriter, "write" | "close">;
  readonly publicUrl?: string;
  readonly siteName?: string;
  readonly securityContact?: string;
  /** Whether preview pictures are drawn, by a process of its own. */
  readonly draws?: boolean;
  /** One that is there already, and stays: to start it takes longer than to draw. */
  readonly drawing?: DrawingProcess;
  /** What starts that process, where it is not our own program. */
  readonly drawingCommand?: readonly string[];
  readonly logLevel?: LogLevel;
  readonly patience?: Patience;
}

interface KeyOptions {
  readonly email?: string;
  readonly expiresAt?: number | null;
  readonly view?: View;
  readonly paths?: readonly KeyPath[] | null;
}

/** The header that a key is sent in. */
export function bearer(key: string): { Authorization: string } {
  return { Authorization: `Bearer ${key}` };
}

/** The real server on a free port with a real store, whose clocks the test moves. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  readonly clock: HandClock;
  readonly visits: Visits;
  readonly commits: GroupCommit;
  /** Where it draws. */
  readonly previews: Previews | undefined;
  readonly drawing: DrawingProcess;
  /** Resolves once what was made for requests is stored. */
  kept(): Promise<void>;
  /** As when the process is about to stop. */
  drain(): void;
  /** The stored record of a user who must exist; the first person unless said otherwise. */
  record(email?: string): Promise<UserRecord>;
  /** All that was ever counted for a user. */
  counts(email?: string): Promise<TreeCount[]>;
  /** Every line of the log so far, parsed. */
  logged(): Record<string, unknown>[];
  /** A new key of a user; the first person's unless said otherwise. */
  key(options?: KeyOptions): Promise<{ key: string; id: string }>;
  /** A request with a new key of the first person, unless headers say otherwise. */
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Response>;
}

export async function startTestServer(options: Options = {}): Promise<TestServer> {
  // Whatever was opened is closed again when the rest fails to start.
  await using stack = new AsyncDisposableStack();
  const engine = options.engine ?? engineInUse();
  const database = options.database ?? stack.use(await engine.create({ mayHaveSchema: true }));
  const clock = new HandClock();
  const store = stack.adopt(await database.lendStore(clock.now), (it) => it.close());
  await store.records.save((options.records ?? [writtenRecord(1), writtenRecord(2)]).map(checkedRecord));

  let output = "";
  const log = new Log({
    level: options.logLevel ?? "info",
    readable: false,
    write: (bytes) => (output += new TextDecoder().decode(bytes)),
  });
  const writer = await database.lendCountWriter();
  const commits = stack.adopt(
    new GroupCommit(options.wrapWriter?.(writer) ?? writer, log, { now: clock.now }),
    (it) => it.close(),
  );
  const canKeep = () => !commits.isFailing;
  const renditions = options.wrapRenditions?.(writer.renditions) ?? writer.renditions;
  const keeper = stack.adopt(new RenditionKeeper({ writer: renditions, canKeep, log }), (it) => it.close());
  const stored = await database.lendStoredReader();
  const reader = stack.adopt(new MakingReader(options.wrapStored?.(stored) ?? stored, keeper.keep), (it) =>
    it.close(),
  );
  const visits = new Visits(commits, clock.now);
  const drawing =
    options.drawing ?? stack.use(new DrawingProcess({ command: options.drawingCommand ?? VITRINE }));
  const previews = options.draws
    ? new Previews({ drawing, reader, writer: writer.previews, canKeep, log })
    : undefined;
  const server = startServer(
    {
      reader: options.wrapReader?.(reader) ?? reader,
      limiter: new MemoryWindow(
        LIMITED_ROUTES.map(({ name }) => name),
        LIMIT_WINDOW_SECONDS,
        clock.now,
      ),
      limits: options.limits ?? { full: 30, default: 60 },
      failedKeys:
        options.limitFailed === undefined
          ? undefined
          : new FailedKeys({
              window: new MemoryWindow([FAILED_ENDPOINT], LIMIT_WINDOW_SECONDS, clock.now),
              limit: options.limitFailed,
              isRemote: options.isRemote ?? false,
              proxies: (options.trustedProxies ?? []).map((text) => parseNetwork(text) as Network),
              log,
              now: clock.now,
            }),
      keyUse: options.keyUse ?? { note: () => {} },
      visits,
      canCount: () => !commits.isFailing,
      publicUrl: options.publicUrl ?? "",
      siteName: options.siteName ?? "Vitrine",
      securityContact: options.securityContact ?? "",
      previews,
      cors: new Cors(options.corsOrigins ?? []),
      log,
      now: clock.now,
    },
    { host: "127.0.0.1", port: 0 },
    options.patience,
  );
  stack.defer(() => server.stop());

  const key: TestServer["key"] = async (options = {}) => {
    const { email = writtenRecord(1).email, expiresAt = null, view = "full", paths = null } = options;
    const text = mintKey(view);
    const [info] = await store.keys.create([
      { email, hash: hashKey(text), name: null, expiresAt, view, paths },
    ]);
    return { key: text, id: info?.id ?? "" };
  };

  const opened = stack.move();
  return {
    url: server.url,
    store,
    clock,
    visits,
    commits,
    previews,
    drawing,
    kept: () => keeper.close(),
    drain: () => server.drain(),
    key,
    async record(email = writtenRecord(1).email) {
      const record = await store.records.find(email);
      if (!record) throw new Error(`no record of ${email}`);
      return record;
    },
    counts: async (email = writtenRecord(1).email) => store.counts.since(email, ""),
    logged() {
      log.flush();
      return output
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    async get(path, headers, method = "GET") {
      const sent = headers ?? bearer((await key()).key);
      return fetch(server.url + path, { headers: sent, method });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
