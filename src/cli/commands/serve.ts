import { LIMIT_WINDOW_SECONDS } from "../../contract/routes.ts";
import { Cors } from "../../http/cors.ts";
import { type RunningServer, startServer } from "../../http/server.ts";
import { openLimiter } from "../../limits/open.ts";
import { Log } from "../../logging/log.ts";
import type { Settings } from "../../settings.ts";
import { openReader, openStore } from "../../store/open.ts";
import { GroupCommit } from "../../tracking/group-commit.ts";
import { KeyUse } from "../../tracking/key-use.ts";
import { Visits } from "../../tracking/visits.ts";
import { Failure } from "../failure.ts";
import { TrackingThread } from "../tracking-thread.ts";

/** Serves until the process is told to stop. `announce` runs once requests are answered. */
export async function serve(settings: Settings, announce?: (url: string) => void): Promise<void> {
  const log = new Log({ level: settings.logLevel, readable: process.stdout.isTTY === true });
  // Opening the store brings the schema up to date; serving needs only the read side.
  await (await openStore(settings.database)).close();

  // Undone from the last to the first, also when serving cannot begin. The connection that can write comes
  // first and so closes last: it leaves no log file behind.
  await using stack = new AsyncDisposableStack();
  stack.defer(() => log.flush());
  const writer = new TrackingThread(settings.database);
  const commits = stack.adopt(new GroupCommit(writer, log), (it) => it.close());
  const keyUse = stack.adopt(new KeyUse(commits), (it) => it.close());
  const reader = stack.adopt(await openReader(settings.database), (it) => it.close());
  const limiter = stack.adopt(await openLimiter(settings.redis, LIMIT_WINDOW_SECONDS, log), (it) =>
    it.close(),
  );

  const server = listen(settings, () =>
    startServer(
      {
        reader,
        limiter,
        limits: { full: settings.limitFull, default: settings.limitDefault },
        keyUse,
        visits: new Visits(commits),
        publicUrl: settings.publicUrl,
        cors: new Cors(settings.corsOrigins),
        log,
        now: Date.now,
      },
      settings,
    ),
  );
  announce?.(server.url);
  log.info("listening", { url: server.url });

  const signal = await nextSignal();
  log.info("stopping", { signal });
  await server.stop();
  log.info("stopped");
}

function listen({ host, port }: Settings, start: () => RunningServer): RunningServer {
  try {
    return start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRNOTAVAIL") {
      throw new Failure(`${host} is not an address of this machine`, "vitrine serve --host 127.0.0.1");
    }
    if (code === "EADDRINUSE") {
      throw new Failure(
        `port ${port} of ${host} is in use`,
        `vitrine serve --port ${port === 65_535 ? 3000 : port + 1}`,
      );
    }
    throw new Failure(
      `cannot serve on ${host} port ${port}: ${message}`,
      "vitrine serve --host 127.0.0.1 --port 3000",
    );
  }
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        resolve(signal);
      });
    }
  });
}
