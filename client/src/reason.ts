/** Why there was no answer, as far as the runtime tells: the name is unknown, nobody listens, TLS, or cut off. */
export type NetworkReason = "dns" | "refused" | "tls" | "lost";

interface Reason {
  readonly reason: NetworkReason;
  /** The codes that runtimes give. */
  readonly codes: RegExp;
  /** How Deno says it, which has no codes. */
  readonly said: RegExp;
  readonly words: string;
}

const REASONS: readonly Reason[] = [
  {
    reason: "dns",
    codes: /^(?:ENOTFOUND|EAI_\w+)$/,
    said: /\bdns error\b/,
    words: "its host name cannot be found",
  },
  {
    reason: "refused",
    codes: /^ECONNREFUSED$/,
    said: /\bConnection refused\b/,
    words: "the connection was refused",
  },
  {
    reason: "lost",
    codes: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    said: /\bconnection closed before|\bConnection reset by peer\b|^error reading a body from connection/,
    words: "the connection was cut off",
  },
  {
    reason: "tls",
    codes: /CERT|SSL|TLS|SIGNATURE|HOSTNAME_MISMATCH|^EPROTO$/,
    said: /\binvalid peer certificate\b|\bcorrupt message\b/,
    words: "TLS failed",
  },
];

export interface Explanation {
  readonly reason: NetworkReason | undefined;
  readonly words: string;
}

/**
 * What `fetch` was thrown by. Runtimes tell it in a code: Bun in that of the error, Node in that of its cause. Deno
 * tells it in the words of either.
 */
export function explanationOf(error: unknown): Explanation {
  const innermost = innermostOf(error);
  const { code, message } = innermost as { code?: unknown; message?: unknown };
  const known = REASONS.find(({ codes, said }) =>
    typeof code === "string" ? codes.test(code) : said.test(String(message)),
  );
  // Of a host whose addresses have all failed, Node has a code and no words.
  const words = known && code ? `${known.words} (${code})` : String(message || code || error);
  return { reason: known?.reason, words };
}

/** The error behind which there is no other. A chain that leads back to itself ends, too. */
function innermostOf(error: unknown): object {
  const seen = new Set<unknown>();
  let inner: unknown = error;
  while (!seen.has(inner)) {
    seen.add(inner);
    inner = (inner as { cause?: unknown })?.cause ?? inner;
  }
  return Object(inner);
}
