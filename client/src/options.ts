import type { VitrineCache } from "./cache.ts";

export interface VitrineOptions {
  /**
   * Where the server is, such as `https://vitrine.example`. A path in it is kept. A variable of the environment can be
   * passed as it is: one that is not set is named as missing.
   */
  url: string | URL | undefined;
  /** The personal key, likewise. It is sent in the `Authorization` header and nowhere else. */
  key: string | undefined;
  /** How many milliseconds one attempt may take, its body included. 10,000 unless said otherwise. */
  timeout?: number | undefined;
  /**
   * How many milliseconds one call may spend waiting in all before it asks again. 60,000 unless said otherwise,
   * which is as long as a limit of the server lasts; 0 never waits.
   */
  retryBudget?: number | undefined;
  /** Ends every call of this client, waits included. A call can have a signal of its own as well. */
  signal?: AbortSignal | undefined;
  /** Keeps answers, so that what has not changed is not sent again. */
  cache?: VitrineCache | undefined;
  /** Allows `http:` to other machines, over which the key can be read on its way. */
  allowInsecure?: boolean | undefined;
  /**
   * Says that the key is one of the public view (`vitp_…`), and types what it reads so. A key of another view is then
   * refused: a site can be built in the belief that nothing private is in it.
   */
  view?: "public" | undefined;
  /**
   * Told what is worth knowing, though nothing is wrong yet: that the key expires within 14 days. Once for each key
   * while the process lasts. `console.warn` unless said otherwise.
   */
  onWarning?: ((message: string) => void) | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options that were found usable, with nothing left out. */
export interface Settings {
  /** Ends without a slash. */
  readonly url: string;
  readonly key: string;
  readonly timeout: number;
  readonly retryBudget: number;
  readonly signal: AbortSignal | undefined;
  readonly cache: VitrineCache | undefined;
  readonly onWarning: (message: string) => void;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** A longer one would go off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function settingsOf(options: VitrineOptions): Settings {
  const { timeout = 10_000, retryBudget = 60_000 } = options;
  if (!(timeout > 0 && timeout <= LONGEST_TIMER_MS)) {
    throw new RangeError(`timeout must be a number of milliseconds from 1 to ${LONGEST_TIMER_MS}`);
  }
  if (!(retryBudget >= 0)) throw new RangeError("retryBudget must be a number of milliseconds, or 0");
  return {
    url: usableUrl(options.url, options.allowInsecure === true),
    key: usableKey(options.key, options.view),
    timeout,
    retryBudget,
    signal: options.signal,
    cache: options.cache,
    // biome-ignore lint/suspicious/noConsole: it is where a program that was told nothing else looks.
    onWarning: options.onWarning ?? ((message) => console.warn(message)),
    // The global one is looked up with each call: frameworks replace it, and browsers want it called as their own.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}

function usableUrl(given: string | URL | undefined, allowInsecure: boolean): string {
  if (given === undefined || given === null || given === "") {
    throw new TypeError("url is missing: pass the address of your server, from the environment for example");
  }
  const url = parsedUrl(given);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("url must be the http or https address of a Vitrine server");
  }
  if (url.username || url.password) throw new TypeError("url must not hold a user name or a password");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecure) {
    throw new TypeError(
      `the key could be read on its way to ${url.origin}: use https, or set allowInsecure if you trust the network`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parsedUrl(given: string | URL): URL | undefined {
  try {
    return new URL(given);
  } catch {
    return undefined;
  }
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

/** A key from a file often ends in a new line. What no header can hold is named here, since `fetch` would quote it. */
function usableKey(given: string | undefined, view: VitrineOptions["view"]): string {
  const key = typeof given === "string" ? given.trim() : "";
  if (key === "")
    throw new TypeError("key is missing: pass your personal key, from the environment for example");
  if (!/^[!-~]+$/.test(key)) throw new TypeError("key has characters that no key has");
  if (view !== undefined && view !== "public")
    throw new TypeError('view must be "public", or be left out for any key');
  if (view === "public" && !key.startsWith("vitp_"))
    throw new TypeError("key is not of the public view: such a key begins with vitp_");
  return key;
}
