import { type CachedAnswer, cacheKey } from "./cache.ts";
import { Ending } from "./ending.ts";
import { codeOf } from "./error-code.ts";
import { VitrineError, VitrineNetworkError, VitrineTimeoutError } from "./errors.ts";
import { warnOfExpiry } from "./expiry.ts";
import { LONGEST_TIMER_MS, type Settings } from "./options.ts";
import { explanationOf } from "./reason.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Time } from "./time.ts";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What may well be right a moment later: the limit, storage, and what stands before the server. */
const RETRIED = new Set([429, 502, 503, 504]);

/** Where the server does not say how long to wait. Also the least wait, so that no answer makes a busy loop. */
const LEAST_WAIT_SECONDS = 1;

/** Reads one path of the API: asks, waits and asks again where that may help, and uses the cache if there is one. */
export async function read<Value>(
  settings: Settings,
  time: Time,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const call = new Ending([settings.signal, signal]);
  try {
    return await call.during(() => answered<Value>(settings, time, settings.url + path, call));
  } finally {
    call.release();
  }
}

async function answered<Value>(settings: Settings, time: Time, url: string, call: Ending): Promise<Value> {
  const place = cacheKey(settings.key, url);
  const kept = wholeOf(await settings.cache?.get(place));
  let budget = settings.retryBudget;
  for (;;) {
    try {
      const answer = await ask(settings, url, kept?.etag, call);
      warnOfExpiry(answer.headers.get("Vitrine-Key-Expires"), settings, time.now());
      if (answer.status === 304 && kept) return kept.value as Value;
      refuseFailure(answer, url, time.now());
      const value = parsed(answer, url) as Value;
      const etag = answer.headers.get("ETag");
      if (etag !== null) await settings.cache?.set(place, { etag, body: answer.text });
      return value;
    } catch (error) {
      const wait = 1000 * secondsUntilNext(error);
      if (wait > Math.min(budget, LONGEST_TIMER_MS)) throw error;
      budget -= wait;
      await time.wait(wait, call.signal);
    }
  }
}

/** What was kept, unless it was cut short: that would be confirmed, and fail, until what it is of changes. */
function wholeOf(kept: CachedAnswer | null | undefined): { etag: string; value: unknown } | undefined {
  try {
    return kept ? { etag: kept.etag, value: JSON.parse(kept.body) } : undefined;
  } catch {
    return undefined;
  }
}

/** How long to wait before it is worth asking again: for ever after what will not be right by then. */
function secondsUntilNext(error: unknown): number {
  if (error instanceof VitrineError && RETRIED.has(error.statusCode)) {
    return Math.max(LEAST_WAIT_SECONDS, error.retryAfter ?? 0);
  }
  if (error instanceof VitrineNetworkError && error.reason === "lost") return LEAST_WAIT_SECONDS;
  return Number.POSITIVE_INFINITY;
}

async function ask(settings: Settings, url: string, etag: string | undefined, call: Ending): Promise<Answer> {
  const { fetch, key, timeout } = settings;
  const headers: Record<string, string> = { Accept: "application/json", Authorization: `Bearer ${key}` };
  if (etag !== undefined) headers["If-None-Match"] = etag;
  const timer = setTimeout(
    () => call.end(new VitrineTimeoutError(`${url} did not answer within ${timeout} ms`)),
    timeout,
  );
  try {
    // The API redirects nobody, and where somebody else leads the key shall not go.
    const response = await fetch(url, { headers, redirect: "manual", signal: call.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    call.signal.throwIfAborted();
    const { reason, words } = explanationOf(cause);
    throw new VitrineNetworkError(`${url} cannot be reached: ${words}`, { cause, reason });
  } finally {
    clearTimeout(timer);
  }
}

function refuseFailure(answer: Answer, url: string, now: number): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  if (status >= 400) throw errorOf(answer, url, now);
  // A browser hides a redirect behind a status of 0, and where it leads.
  const target = headers.get("Location");
  const where = target === null ? "is redirected" : `redirects to ${target}`;
  throw new VitrineNetworkError(`${url} ${where}, and the key is not sent there`);
}

function parsed({ text }: Answer, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new VitrineNetworkError(`${url} answered with something other than JSON`, { cause });
  }
}

/** What a Vitrine server says is wrong or, where something before it answered, as much as there is to know. */
function errorOf({ status, headers, text }: Answer, url: string, now: number): VitrineError {
  const details = {
    retryAfter: retryAfterSeconds(headers.get("Retry-After"), now),
    requestId: headers.get("X-Request-Id") ?? undefined,
  };
  try {
    const { message, error } = JSON.parse(text) as Record<string, unknown>;
    if (typeof message === "string" && typeof error === "string") {
      const code = codeOf(status, message);
      return new VitrineError({ statusCode: status, message, error }, { ...details, code });
    }
  } catch {
    // It is no error of ours, so its status has to do.
  }
  // Whose address it was says most: it may be that of another site.
  const message = `${url} answered with HTTP status ${status}`;
  return new VitrineError({ statusCode: status, message, error: "" }, details);
}
