import type { Answer } from "../store/hooks.ts";
import type { Message } from "./message.ts";
import { HookRefused } from "./refusal.ts";
import { type Address, checkedAddresses } from "./resolve.ts";

/** The longest that a try may take, from the name of the host to the status. */
export const TRY_MS = 15_000;

/**
 * The most answers that may come before the one (RFC 9110, section 15.2). Some receivers send one or two. Without an
 * end of them, a receiver would keep this process busy until the try is over, and others waiting.
 */
const MOST_HINTS = 20;

export interface PostOptions {
  readonly allowPrivate: boolean;
  readonly tryMs?: number;
  /** Ends the try, which then throws. */
  readonly signal?: AbortSignal;
  /** Certificates to trust in place of the system's. */
  readonly ca?: string;
}

/**
 * Sends a message, and tells how that ended. The host is looked up and checked every time, and what was checked is
 * what is connected to; the certificate must be the name's. A redirect is an answer like any other, and of the answer
 * nothing but the status is read.
 */
export async function post(message: Message, options: PostOptions): Promise<Answer> {
  const late = AbortSignal.timeout(options.tryMs ?? TRY_MS);
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
  try {
    const addresses = await unlessAborted(checkedAddresses(message.url, options.allowPrivate), signal);
    return { status: await statusOf(message, addresses, signal, options.ca), fault: null };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { status: null, fault: late.aborted ? "timeout" : faultOf(error) };
  }
}

async function statusOf(
  { url, headers, body }: Message,
  addresses: readonly Address[],
  signal: AbortSignal,
  ca?: string,
): Promise<number> {
  const answered = Promise.withResolvers<number>();
  // Imported above, they would be loaded by every command, hooks or not.
  const { request } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
  const asked = request(
    url,
    {
      method: "POST",
      // A connection of its own: one that is kept could be to an address that was checked for another name.
      agent: false,
      headers: { ...Object.fromEntries(headers), "Content-Length": Buffer.byteLength(body) },
      lookup: (_host, _options, found) => found(null, [...addresses]),
      signal,
      ...(ca !== undefined && { ca }),
    },
    (response) => {
      answered.resolve(response.statusCode ?? 0);
      response.destroy();
    },
  );
  // To Node, 101 is no response: it would close the connection, and say nothing.
  asked.on("upgrade", ({ statusCode = 0 }, socket) => {
    answered.resolve(statusCode);
    socket.destroy();
  });
  let hints = 0;
  asked.on("information", () => {
    if (++hints <= MOST_HINTS) return;
    answered.reject(new Error("too much before the answer"));
    asked.destroy();
  });
  asked.on("error", answered.reject);
  asked.on("close", () => answered.reject(new Error("closed without an answer")));
  asked.end(body);
  return answered.promise;
}

/** A look-up cannot be stopped, but it need not be waited for. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([value, aborted.promise]).finally(() => signal.removeEventListener("abort", abort));
}

/** A code, and never a text, which could hold what is secret. */
function faultOf(error: unknown): string {
  if (error instanceof HookRefused) return error.fault;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "failed";
}
