import { LIMIT_WINDOW_SECONDS } from "../contract/routes.ts";
import { openLimiter } from "../limits/open.ts";
import type { Log } from "../logging/log.ts";
import type { Settings, StudioSettings } from "../settings.ts";
import { engineAt } from "../store/engines.ts";
import { openProvider } from "./oidc.ts";
import { loadPage } from "./page/files.ts";
import { type RunningStudio, startStudio } from "./server.ts";
import { STUDIO_ENDPOINTS } from "./steps/limit.ts";

export type OpenSettings = Pick<Settings, "database" | "redis" | "trustedProxies" | "hookPrivate"> &
  StudioSettings;

/** A studio with all that it works with, until it is closed. */
export interface OpenStudio extends RunningStudio, AsyncDisposable {
  /** Settled when the database is no longer the one at its place. From then on every call is refused. */
  readonly replaced: Promise<void>;
}

/** How often it is looked whether the database is still the one at its place. */
const LOOK_MS = 1000;

/** The schema must be up to date. */
export async function openStudio(settings: OpenSettings, publicUrl: string, log: Log): Promise<OpenStudio> {
  // Whatever was opened is closed again when the rest fails to start.
  await using opening = new AsyncDisposableStack();
  const engine = await engineAt(settings.database);
  const store = opening.adopt(await engine.open({ isLasting: true }), (it) => it.close());
  const limiter = opening.adopt(
    await openLimiter(settings.redis, STUDIO_ENDPOINTS, LIMIT_WINDOW_SECONDS, log),
    (it) => it.close(),
  );
  const page = await loadPage();
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings;
  const provider = issuer
    ? openProvider({ issuer, clientId, clientSecret, createsUsers: settings.oidcCreate })
    : undefined;
  const { studioUrl, studioHost: host, studioPort: port, trustedProxies, hookPrivate } = settings;
  const running = startStudio(
    { store, limiter, log, page, studioUrl, publicUrl, trustedProxies, provider, hookPrivate, now: Date.now },
    { host, port },
  );
  opening.defer(() => running.stop());
  const { promise: replaced, resolve } = Promise.withResolvers<void>();
  const looking = setInterval(() => store.isReplaced() && resolve(), LOOK_MS);
  opening.defer(() => clearInterval(looking));
  const opened = opening.move();
  return { ...running, replaced, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
