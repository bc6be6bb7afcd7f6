import type { StudioAddress } from "./address.ts";
import { AGE_MS } from "./sessions.ts";

/**
 * The cookies of the studio. Their names have the port, unless it is the usual one: all ports of a host share its
 * cookies. Over TLS they have a prefix by which a browser takes them from this very host alone. No script can read
 * them, and the first is never sent along with what another site began.
 */
export class StudioCookies {
  readonly #session: string;
  readonly #journey: string;
  readonly #secure: string;

  constructor({ isSecure, origin }: StudioAddress) {
    const { port } = new URL(origin);
    const nameOf = (name: string) => `${isSecure ? "__Host-" : ""}${name}${port && `-${port}`}`;
    this.#session = nameOf("vitrine-studio");
    this.#journey = nameOf("vitrine-oidc");
    this.#secure = isSecure ? "; Secure" : "";
  }

  /** The half of a session that a request brings. */
  session(request: Request): string | undefined {
    return readCookie(request, this.#session);
  }

  setSession(value: string): string {
    return this.#write(this.#session, value, "Strict", AGE_MS / 1000);
  }

  clearSession(): string {
    return this.#write(this.#session, "", "Strict", 0);
  }

  /** What a browser is known by that was sent to the OpenID provider. */
  journey(request: Request): string | undefined {
    return readCookie(request, this.#journey);
  }

  setJourney(value: string, seconds: number): string {
    // The way back begins at the provider, so that a strict cookie would not come along.
    return this.#write(this.#journey, value, "Lax", seconds);
  }

  #write(name: string, value: string, sameSite: "Strict" | "Lax", seconds: number): string {
    return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${this.#secure}`;
  }
}

function readCookie(request: Request, name: string): string | undefined {
  const pairs = request.headers.get("Cookie")?.split(/;\s*/) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
