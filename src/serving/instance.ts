import type { MaybePromise } from "../async/maybe-promise.ts";
import { LIMIT_WINDOW_SECONDS, LIMITED_ROUTES } from "../contract/routes.ts";
import { Announcer } from "../hooks/announcer.ts";
import { startServer } from "../http/server.ts";
import { Cors } from "../http/steps/cors.ts";
import { FAILED_ENDPOINT, FailedKeys, MOST_FAILURES } from "../http/steps/failed-keys.ts";
import { RequestMetrics } from "../http/steps/request-metrics.ts";
import { LocalLimiter } from "../limits/local-limiter.ts";
import { openLimiter } from "../limits/open.ts";
import type { Log } from "../logging/log.ts";
import { Collector } from "../metrics/collect.ts";
import type { Family } from "../metrics/metrics.ts";
import type { Settings } from "../settings.ts";
import { engineAt } from "../store/engines.ts";
import { MakingReader } from "../store/making-reader.ts";
import type { StoredReader } from "../store/stored-reader.ts";
import { GroupCommit } from "../tracking/group-commit.ts";
import { KeyUse } from "../tracking/key-use.ts";
import { Visits } from "../tracking/visits.ts";
import { startCountWriter } from "./count-thread.ts";
import { DrawingProcess } from "./drawing-process.ts";
import { listening } from "./listening.ts";
import { Presence } from "./presence.ts";
import { Previews } from "./previews.ts";
import { RenditionKeeper } from "./rendition-keeper.ts";

/** One process that answers requests. */
export interface Instance extends AsyncDisposable {
  readonly url: string;
  metrics(): Promise<readonly Family[]>;
  /**
   * Goes on serving while `delay` lasts, so that load balancers turn elsewhere; then finishes what is in flight, and
   * writes what was counted. Throws `CountsLost` where that was not possible.
   */
  stop(delay: Promise<unknown>): Promise<void>;
}

export async function startInstance(
  settings: Settings,
  log: Log,
  { isWorker = false } = {},
): Promise<Instance> {
  // Undone from the last to the first, also when serving cannot begin. The connection that can write comes
  // first and so closes last: it leaves no log file behind.
  await using stack = new AsyncDisposableStack();
  const untilTheEnd = <Opened extends { close(): MaybePromise<void> }>(opened: Opened) =>
    stack.adopt(opened, (it) => it.close());
  const writer = await startCountWriter(settings.database);
  const commits = untilTheEnd(new GroupCommit(writer, log));
  const keyUse = untilTheEnd(new KeyUse(commits));
  const visits = new Visits(commits);
  const presence = untilTheEnd(new Presence(writer, log, { sharesLimits: settings.redis !== "" }));
  const announcer = untilTheEnd(
    new Announcer(writer.hooks, log, {
      delayMs: settings.hookDelay * 1000,
      allowPrivate: settings.hookPrivate,
    }),
  );
  const engine = await engineAt(settings.database);
  const { databaseRead: replica, databasePoolSize: connections } = settings;
  const canWrite = () => !commits.isFailing && !presence.isReadOnly;
  const keeper = untilTheEnd(new RenditionKeeper({ writer: writer.renditions, canKeep: canWrite, log }));
  const stored = await engine.openReader({ connections, log, replica });
  const reader = untilTheEnd(new MakingReader(stored, keeper.keep));
  const previews = settings.previews
    ? new Previews({
        drawing: stack.use(new DrawingProcess()),
        reader,
        writer: writer.previews,
        canKeep: canWrite,
        log,
      })
    : undefined;
  const endpoints = LIMITED_ROUTES.map(({ name }) => name);
  const limiter = untilTheEnd(await openLimiter(settings.redis, endpoints, LIMIT_WINDOW_SECONDS, log));
  const failedKeys = limitFailures(settings, stored, log, stack);
  const requests = settings.metricsPort === null ? undefined : new RequestMetrics();
  const collector =
    requests &&
    untilTheEnd(
      new Collector({
        requests,
        limiter,
        failedKeys,
        reader,
        commits,
        visits,
        log,
        presence,
        writer,
        announcer,
        keeper,
        previews,
      }),
    );

  const server = listening({ ...settings, hostFlag: "--host", portFlag: "--port" }, () =>
    startServer(
      {
        reader,
        limiter,
        limits: { full: settings.limitFull, default: settings.limitDefault },
        failedKeys,
        keyUse,
        visits,
        canCount: canWrite,
        previews,
        publicUrl: settings.publicUrl,
        siteName: settings.siteName,
        securityContact: settings.securityContact,
        cors: new Cors(settings.corsOrigins),
        log,
        metrics: requests,
        now: Date.now,
      },
      { host: settings.host, port: settings.port, isShared: isWorker },
    ),
  );
  stack.defer(() => server.stop());

  const opened = stack.move();
  return {
    url: server.url,
    metrics: async () => collector?.collect() ?? [],
    async stop(delay) {
      server.drain();
      await delay;
      await opened.disposeAsync();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Counted in each process by itself: what one address may cost is a matter of the process that it costs. */
function limitFailures(
  { limitFailed: limit, trustedProxies: proxies }: Settings,
  { isRemote }: Pick<StoredReader, "isRemote">,
  log: Log,
  stack: AsyncDisposableStack,
): FailedKeys | undefined {
  if (limit === 0) return undefined;
  const window = new LocalLimiter([FAILED_ENDPOINT], LIMIT_WINDOW_SECONDS, undefined, MOST_FAILURES);
  stack.defer(() => window.close());
  return new FailedKeys({ window, limit, proxies, isRemote, log });
}
