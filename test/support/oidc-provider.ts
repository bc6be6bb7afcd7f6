import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** Somebody whom the provider knows, by the subject. */
export interface Account {
  readonly email?: string;
  /** Some providers write a word where the standard has a boolean. */
  readonly email_verified?: boolean | string;
  readonly name?: string;
}

export interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: Map<string, Account>;
  /** Follows the way through the provider as a browser of this person would, up to the address it leads back to. */
  signIn(url: string, subject: string): Promise<string>;
  /** From then on nobody answers at its address. */
  stop(): Promise<void>;
}

const [CLIENT_ID, CLIENT_SECRET] = ["vitrine-studio", "a-secret-of-the-test"];

/** How a provider takes the secret of a client. */
export type SecretWay = "client_secret_basic" | "client_secret_post";

/** A real OpenID provider, which lets everybody in whom it is told of. It takes the secret in either way unless told. */
export async function startProvider(callback: string, secretWay?: SecretWay): Promise<RunningProvider> {
  const accounts = new Map<string, Account>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [callback],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        ...(secretWay && { token_endpoint_auth_method: secretWay }),
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    ...(secretWay && { clientAuthMethods: [secretWay] }),
    features: { devInteractions: { enabled: true } },
    findAccount: (_: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...accounts.get(subject) }),
    }),
    cookies: { keys: ["for the test"] },
  });
  server.on("request", provider.callback());

  const signIn = async (url: string, subject: string) => {
    const cookies = new Map<string, string>();
    const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
      const response = await fetch(address, {
        redirect: "manual",
        headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
        cookies.set(name, value);
      }
      return response;
    };
    let response = await visit(url);
    for (let step = 0; step < 12; step++) {
      const location = response.headers.get("Location");
      if (location !== null) {
        const next = new URL(location, issuer).href;
        if (next.startsWith(callback)) return next;
        response = await visit(next);
        continue;
      }
      // A form of the provider's: first who it is, then whether the studio may know.
      const page = await response.text();
      const [, action = ""] = /action="([^"]+)"/.exec(page) ?? [];
      const [, prompt = ""] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
      if (!action) throw new Error(`the provider does not go on: ${page.slice(0, 500)}`);
      response = await visit(new URL(action, issuer).href, { prompt, login: subject, password: "any" });
    }
    throw new Error("the provider leads in circles");
  };

  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    accounts,
    signIn,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
