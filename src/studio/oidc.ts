import type { ClientAuth } from "openid-client";
import { withDeadline } from "../async/maybe-promise.ts";
import { once } from "../async/once.ts";
import { boundedFetch } from "./bounded-fetch.ts";

/** The longest that one request to the provider may take, and all that somebody waits for. */
const REQUEST_SECONDS = 5;
const STEP_MS = 6000;

/** The provider is down, or takes too long. */
export class ProviderSilent extends Error {
  override readonly name = "ProviderSilent";
}

/** The provider answers, but with a refusal, or not to what was asked. The message says which, for the log. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
}

/** An operator's OpenID Connect provider, and what the studio asks of it. Throws `ProviderSilent` or `ProviderRefused`. */
export interface Provider {
  /** Where to send somebody, and what has to be known when they come back. */
  begin(state: string, callback: string): Promise<{ readonly url: string; readonly journey: Journey }>;
  /** Who came back. */
  finish(url: URL, state: string, journey: Journey): Promise<Identity>;
  /** Whether people who are not known are made users. */
  readonly createsUsers: boolean;
}

/** What is remembered of somebody who was sent to the provider. */
export interface Journey {
  readonly verifier: string;
  readonly nonce: string;
}

/** Somebody as the provider knows them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Absent where the provider does not tell it. */
  readonly email: string | undefined;
  /** Whether the provider says that it has verified the address. */
  readonly isVerified: boolean;
  readonly name: string | undefined;
}

interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly createsUsers: boolean;
}

/** A provider that is asked about itself when somebody first signs in, and again where that failed. */
export function openProvider({ issuer, clientId, clientSecret, createsUsers }: ProviderSettings): Provider {
  const discover = once(() => discovery(issuer, clientId, clientSecret));
  const step = async <Value>(ask: (discovered: Discovered) => Promise<Value>): Promise<Value> => {
    const late = () => new ProviderSilent(`no answer within ${STEP_MS} ms`);
    try {
      return await withDeadline(discover().then(ask), STEP_MS, late);
    } catch (error) {
      throw new (isSilence(error) ? ProviderSilent : ProviderRefused)(reasonOf(error));
    }
  };
  return {
    createsUsers,

    begin: (state, callback) =>
      step(async ({ client, configuration }) => {
        const journey = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: callback,
          scope: "openid email profile",
          code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
          code_challenge_method: "S256",
          state,
          nonce: journey.nonce,
        });
        return { url: url.href, journey };
      }),

    finish: (url, state, { verifier, nonce }) =>
      step(async ({ client, configuration }) => {
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error("the provider sent no ID token");
        // Some providers tell the address, or whether it is verified, only when they are asked, and some cannot be.
        const isTold = claims.email !== undefined && claims.email_verified !== undefined;
        const told =
          !isTold && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: typeof told.email === "string" ? told.email : undefined,
          isVerified: told.email_verified === true,
          name: typeof told.name === "string" ? told.name : undefined,
        };
      }),
  };
}

/** RFC 6749, section 4.1.2.1: what stands for a 500 or a 503 where somebody is sent back. */
const OWN_ERRORS = ["server_error", "temporarily_unavailable"];

/** Whether a failure of a request is none of the provider's answers: no connection, too late, or an error of its own. */
function isSilence(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    chainOf(error).some(
      (part) =>
        (part instanceof Error && (part.name === "TimeoutError" || OWN_ERRORS.includes(codeOf(part)))) ||
        (part instanceof Response && (part.status >= 500 || part.status === 429)),
    )
  );
}

/** The provider's own name for an error, if it is one of the provider's. */
function codeOf(error: Error): string {
  return (error as { error?: string }).error ?? "";
}

/** An error of the library, which keeps the telling part in its causes: other errors, an answer, or what was in one. */
function chainOf(error: unknown): unknown[] {
  const { cause, response } = Object(error) as { cause?: unknown; response?: unknown };
  return [error, ...(response instanceof Response ? [response] : []), ...(cause ? chainOf(cause) : [])];
}

/** What a provider says in its own words, which may be long and name somebody. */
const LONGEST_WORDS = 300;
const ADDRESS = /\S+@\S+/g;

/** Why a provider refused, for the operator. What the token says of a person is left out. */
function reasonOf(error: unknown): string {
  const parts = chainOf(error).flatMap((part) => {
    if (part instanceof Response)
      return `${part.status}, ${part.headers.get("Content-Type") ?? "no type"}, from ${part.url}`;
    if (!(part instanceof Error)) return [];
    const { error: code, error_description: words } = part as { error?: string; error_description?: string };
    return [part.message, code ?? [], words ?? []].flat();
  });
  return [...new Set(parts)].map(shortened).join(": ");
}

/** Cut before addresses are looked for, too: in words without an end that takes for ever. */
function shortened(words: string): string {
  return words
    .slice(0, 2 * LONGEST_WORDS)
    .replaceAll(ADDRESS, "…")
    .slice(0, LONGEST_WORDS);
}

type Client = typeof import("openid-client");

interface Discovered {
  readonly client: Client;
  readonly configuration: InstanceType<Client["Configuration"]>;
}

/** Loaded with the first sign-in: most studios have no provider. */
async function discovery(issuer: string, clientId: string, clientSecret: string): Promise<Discovered> {
  const client = await import("openid-client");
  const isLocal = issuer.startsWith("http:");
  // OpenID Connect Discovery 1.0, section 3: who does not say how it takes a secret takes it in the header.
  const authenticate: ClientAuth = (server, ...request) => {
    const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = server;
    const way = ways.includes("client_secret_post") ? client.ClientSecretPost : client.ClientSecretBasic;
    way(clientSecret)(server, ...request);
  };
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, authenticate, {
    timeout: REQUEST_SECONDS,
    execute: isLocal ? [client.allowInsecureRequests] : [],
    [client.customFetch]: boundedFetch,
  });
  return { client, configuration };
}
