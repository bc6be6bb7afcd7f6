import { LIMIT_WINDOW_SECONDS } from "../../contract/routes.ts";
import { Cors } from "../../http/cors.ts";
import { RequestNumbers } from "../../http/request-numbers.ts";
import { startServer } from "../../http/server.ts";
import { openLimiter } from "../../limits/open.ts";
import type { Log } from "../../logging/log.ts";
import { Collector } from "../../metrics/collect.ts";
import type { Family } from "../../metrics/metrics.ts";
import type { Settings } from "../../settings.ts";
import { openReader } from "../../store/open.ts";
import { GroupCommit } from "../../tracking/group-commit.ts";
import { KeyUse } from "../../tracking/key-use.ts";
import { Visits } from "../../tracking/visits.ts";
import { openCounters } from "../tracking-thread.ts";
import { listening } from "./listening.ts";

/** One process that answers requests. */
export interface Instance extends AsyncDisposable {
  readonly url: string;
  metrics(): Promise<readonly Family[]>;
  /** Goes on serving while `delay` lasts, so that load balancers turn elsewhere; then finishes what is in flight. */
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
  stack.defer(() => log.flush());
  const writer = await openCounters(settings.database);
  const commits = stack.adopt(new GroupCommit(writer, log), (it) => it.close());
  const keyUse = stack.adopt(new KeyUse(commits), (it) => it.close());
  const visits = new Visits(commits);
  const reader = stack.adopt(await openReader(settings.database, settings.databasePoolSize), (it) =>
    it.close(),
  );
  const limiter = stack.adopt(await openLimiter(settings.redis, LIMIT_WINDOW_SECONDS, log), (it) =>
    it.close(),
  );
  const numbers = settings.metricsPort === null ? undefined : new RequestNumbers();
  const collector =
    numbers && stack.adopt(new Collector({ numbers, limiter, reader, commits, visits }), (it) => it.close());

  const server = listening({ ...settings, hostFlag: "--host", portFlag: "--port" }, () =>
    startServer(
      {
        reader,
        limiter,
        limits: { full: settings.limitFull, default: settings.limitDefault },
        keyUse,
        visits,
        publicUrl: settings.publicUrl,
        cors: new Cors(settings.corsOrigins),
        log,
        numbers,
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
      await server.stop();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
