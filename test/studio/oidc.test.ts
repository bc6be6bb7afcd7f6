import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { FRAGMENTS, PAGES, SESSION_HEADER, type SessionState } from "../../src/studio/contract.ts";
import { openProvider } from "../../src/studio/oidc.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import {
  type Account,
  type RunningProvider,
  type SecretWay,
  startProvider,
} from "../support/oidc-provider.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestStudio, type TestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const EMAIL = writtenRecord(1).email;
const KNOWN: Account = { email: EMAIL, email_verified: true, name: "Person One" };

const STRANGER = { email: "stranger@example.com", email_verified: true };

async function withProvider(createsUsers = false, engine = engineInUse(), secretWay?: SecretWay) {
  const stack = new AsyncDisposableStack();
  const studioUrl = "https://studio.example";
  const provider = stack.use(await startProvider(studioUrl + PAGES.oidcCallback, secretWay));
  const { issuer, clientId, clientSecret } = provider;
  const studio = stack.use(
    await startTestStudio({
      engine,
      studioUrl,
      provider: openProvider({ issuer, clientId, clientSecret, createsUsers }),
      now: Date.now,
    }),
  );
  return { studio, provider, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Takes requests, and answers none. */
function startHangingProvider() {
  const server = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) });
  return providerAt(server);
}

/** The provider that a server plays, for as long as that runs. */
function providerAt(server: Bun.Server<undefined>) {
  const provider = openProvider({
    issuer: `http://127.0.0.1:${server.port}`,
    clientId: "vitrine-studio",
    clientSecret: "a-secret-of-the-test",
    createsUsers: false,
  });
  return { provider, [Symbol.asyncDispose]: () => server.stop(true) };
}

type Answer = (issuer: string) => Response;

interface Script {
  readonly discovery?: Answer;
  readonly token?: Answer;
  readonly userinfo?: object | undefined;
}

/** Answers as it is told to, and without a word of its own in between. */
function startScriptedProvider({ discovery, token, userinfo }: Script) {
  const server = Bun.serve({
    port: 0,
    fetch({ url }) {
      const { origin, pathname } = new URL(url);
      if (pathname === "/token" && token) return token(origin);
      if (pathname === "/userinfo") return Response.json(userinfo);
      const asking = userinfo && { userinfo_endpoint: `${origin}/userinfo` };
      return discovery?.(origin) ?? Response.json({ ...metadataOf(origin), ...asking });
    },
  });
  return providerAt(server);
}

function metadataOf(issuer: string) {
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
}

/** Begins, and comes back as if the provider had sent somebody. */
async function comeBack(studio: TestStudio, answer: Record<string, string>): Promise<Response> {
  const begun = await open(studio, PAGES.oidcStart);
  const state = new URL(begun.headers.get("Location") ?? "").searchParams.get("state") ?? "";
  const back = `${PAGES.oidcCallback}?${new URLSearchParams({ state, ...answer })}`;
  return open(studio, back, cookieOf(begun)[0]);
}

/** Opens a page of the studio as a browser does. */
function open(studio: TestStudio, address: string, cookie = ""): Promise<Response> {
  const { pathname, search } = new URL(address, studio.url);
  return fetch(studio.socketUrl + pathname + search, {
    redirect: "manual",
    headers: { Host: new URL(studio.url).host, Cookie: cookie, "Sec-Fetch-Site": "cross-site" },
  });
}

const cookieOf = (response: Response) => response.headers.getSetCookie().map((it) => it.split(";")[0]);

/** From the studio to the provider and back. */
async function journey(
  { studio, provider }: { studio: TestStudio; provider: RunningProvider },
  subject: string,
) {
  const begun = await open(studio, PAGES.oidcStart);
  const journeyCookie = cookieOf(begun)[0] ?? "";
  const back = await provider.signIn(begun.headers.get("Location") ?? "", subject);
  const arrived = await open(studio, back, journeyCookie);
  return { begun, back, journeyCookie, arrived };
}

/** Somebody is told why not, and so is the operator, by a log without an address. */
async function expectRefusal(
  it: { studio: TestStudio; provider: RunningProvider },
  subject: string,
  words: string,
  reason: string,
) {
  const { arrived } = await journey(it, subject);
  expect(arrived.status).toBe(403);
  expect(await arrived.text()).toContain(`<p>${words}</p>`);
  expect(arrived.headers.get("Set-Cookie")).toBeNull();
  const line = it.studio.logged().find(({ level }) => level === "warn");
  expect(line?.reason).toBe(reason);
  expect(it.studio.logText()).not.toContain("@");
}

async function whoCame(studio: TestStudio, arrived: Response): Promise<SessionState["who"]> {
  const location = arrived.headers.get("Location") ?? "";
  const session = location.split(`#${FRAGMENTS.session}=`)[1] ?? "";
  const as = { Cookie: cookieOf(arrived).join("; "), [SESSION_HEADER]: session };
  return ((await (await studio.call("showSession", { as })).json()) as SessionState).who;
}

describe("signing in through an OpenID provider", () => {
  test("asks with PKCE, state and nonce, and lets in a user by a verified address, and then by the subject", async () => {
    await using it = await withProvider();
    it.provider.accounts.set("subject-1", KNOWN);
    const first = await journey(it, "subject-1");
    const asked = new URL(first.begun.headers.get("Location") ?? "").searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(first.arrived.status).toBe(302);
    expect(first.arrived.headers.get("Location")).toStartWith(`${it.studio.url}/#session=`);
    expect(await whoCame(it.studio, first.arrived)).toMatchObject({ kind: "owner", user: { email: EMAIL } });

    it.provider.accounts.set("subject-1", { email: "another@example.com", email_verified: true });
    const second = await journey(it, "subject-1");
    expect(await whoCame(it.studio, second.arrived)).toMatchObject({ user: { email: EMAIL } });
    it.provider.accounts.set("subject-2", KNOWN);
    expect((await journey(it, "subject-2")).arrived.status).toBe(403);
  });

  test.each<SecretWay>(["client_secret_basic", "client_secret_post"])(
    "goes well with a provider that takes the studio's secret by %s alone",
    async (secretWay) => {
      await using it = await withProvider(false, engineInUse(), secretWay);
      it.provider.accounts.set("subject-1", KNOWN);
      expect((await journey(it, "subject-1")).arrived.status).toBe(302);
    },
  );

  test.each([
    ["is not known", STRANGER, "You are not known here. Ask the operator for an invitation.", "not known"],
    [
      "has an address that is not verified",
      { ...KNOWN, email_verified: false },
      "Your provider has not verified your e-mail address.",
      "address is not verified",
    ],
    [
      "has an address that is verified by the word alone",
      { ...KNOWN, email_verified: "true" },
      "Your provider has not verified your e-mail address.",
      "address is not verified",
    ],
    ["has no address", {}, "Your provider does not tell your e-mail address.", "no address"],
  ])("refuses with a plain page who %s, and the log says why", async (_, account, words, reason) => {
    await using it = await withProvider();
    it.provider.accounts.set("somebody", account);
    await expectRefusal(it, "somebody", words, reason);
    expect(await it.studio.store.records.count()).toBe(2);
  });

  test("refuses a second account of the provider with the address of a user", async () => {
    await using it = await withProvider();
    for (const subject of ["first", "second"]) it.provider.accounts.set(subject, KNOWN);
    expect((await journey(it, "first")).arrived.status).toBe(302);
    const words = "Your e-mail address belongs to another account at your provider.";
    await expectRefusal(it, "second", words, "user is bound to another subject");
  });

  test.each([
    ["is too long", "N".repeat(201)],
    ["has a sign that no text may have", "N\0"],
  ])("makes a user without a name where that %s", async (_, name) => {
    await using it = await withProvider(true);
    it.provider.accounts.set("stranger", { ...STRANGER, name });
    expect((await journey(it, "stranger")).arrived.status).toBe(302);
    expect((await it.studio.record(STRANGER.email)).profile.name.value).toBeNull();
  });

  test("makes users of strangers where that is wanted", async () => {
    await using it = await withProvider(true);
    it.provider.accounts.set("stranger", { email: "stranger@example.com", email_verified: true, name: "S" });
    const { arrived } = await journey(it, "stranger");
    expect(await whoCame(it.studio, arrived)).toMatchObject({ user: { email: "stranger@example.com" } });
    const { profile } = await it.studio.record("stranger@example.com");
    expect(profile).toMatchObject({ isPublic: false, name: { value: "S" } });
    expect(profile.slug).toMatch(/^stranger-[\da-f]{8}$/);
  });

  test("does not end in another browser, a second time, or with a state that was made up", async () => {
    await using it = await withProvider();
    it.provider.accounts.set("subject-1", KNOWN);
    const begun = await open(it.studio, PAGES.oidcStart);
    const cookie = cookieOf(begun)[0] ?? "";
    const back = await it.provider.signIn(begun.headers.get("Location") ?? "", "subject-1");
    expect((await open(it.studio, back)).status).toBe(403);
    expect((await open(it.studio, back, cookie)).status).toBe(403);
    const { back: spent, journeyCookie } = await journey(it, "subject-1");
    expect((await open(it.studio, spent, journeyCookie)).status).toBe(403);
    const forged = new URL(spent);
    forged.searchParams.set("state", "made-up");
    expect((await open(it.studio, forged.href, journeyCookie.replace(/=.*/, "=made-up"))).status).toBe(403);
  });

  test("ends well in each of several windows of one browser", async () => {
    await using it = await withProvider();
    it.provider.accounts.set("subject-1", KNOWN);
    const first = await open(it.studio, PAGES.oidcStart);
    const second = await open(it.studio, PAGES.oidcStart, cookieOf(first)[0]);
    for (const begun of [first, second]) {
      const back = await it.provider.signIn(begun.headers.get("Location") ?? "", "subject-1");
      const arrived = await open(it.studio, back, cookieOf(second)[0]);
      expect(await whoCame(it.studio, arrived)).toMatchObject({ user: { email: EMAIL } });
    }
  });

  test("is refused with a plain page to who comes too often", async () => {
    await using it = await withProvider();
    for (let count = 0; count < 30; count++) await open(it.studio, PAGES.oidcCallback);
    const refused = await open(it.studio, PAGES.oidcCallback);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("<p>That was too often. It goes on in ");
  });

  test("writes nothing to a file that is no longer at its place", async () => {
    await using it = await withProvider(true, sqlite);
    it.provider.accounts.set("subject-1", STRANGER);
    const begun = await open(it.studio, PAGES.oidcStart);
    const back = await it.provider.signIn(begun.headers.get("Location") ?? "", "subject-1");
    const { location } = it.studio.database;
    if (location.engine !== "sqlite") throw new Error("no file");
    rmSync(location.file);
    for (const answer of [
      await open(it.studio, back, cookieOf(begun)[0]),
      await open(it.studio, PAGES.oidcStart),
    ]) {
      expect([answer.status, answer.headers.get("Set-Cookie")]).toEqual([503, null]);
      expect(await answer.text()).toContain("The database does not answer.");
    }
    expect(await it.studio.store.records.find(STRANGER.email)).toBeNull();
  });

  test("leaves the reason in the log, in words, where the database is gone", async () => {
    await using it = await withProvider(true, sqlite);
    const { location } = it.studio.database;
    if (location.engine !== "sqlite") throw new Error("no file");
    rmSync(location.file);
    await open(it.studio, PAGES.oidcStart);
    expect(it.studio.logged().at(-1)).toMatchObject({
      message: "storage is unavailable",
      reason: "the file of the database was replaced or removed: the studio has to be started anew",
    });
  });

  test("is not there without a provider", async () => {
    await using studio = await startTestStudio();
    for (const path of [PAGES.oidcStart, PAGES.oidcCallback])
      expect((await open(studio, path)).status).toBe(404);
  });
});

describe("a provider that does not answer", () => {
  test("is told of by a plain page, at the start and at the end of the way", async () => {
    await using it = await withProvider();
    it.provider.accounts.set("subject-1", KNOWN);
    const begun = await open(it.studio, PAGES.oidcStart);
    const back = await it.provider.signIn(begun.headers.get("Location") ?? "", "subject-1");
    await it.provider.stop();
    const arrived = await open(it.studio, back, cookieOf(begun)[0]);
    const provider = openProvider({ ...it.provider, createsUsers: false });
    await using other = await startTestStudio({ provider });
    for (const answer of [arrived, await open(other, PAGES.oidcStart)]) {
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([503, "text/html; charset=utf-8"]);
      expect(answer.headers.get("Retry-After")).toBe("1");
      const page = await answer.text();
      expect(page).toContain("<h1>Not signed in</h1><p>Your provider does not answer. Try again soon.</p>");
    }
  });

  test("is told from a database that does not", async () => {
    await using hanging = startHangingProvider();
    await using studio = await startTestStudio({ provider: hanging.provider });
    const begun = await open(studio, PAGES.oidcStart);
    expect(begun.status).toBe(503);
    expect(await begun.text()).toContain("Your provider does not answer. Try again soon.");
    expect(studio.logged()).toMatchObject([
      {
        level: "warn",
        message: "the OpenID provider does not answer",
        reason: expect.stringContaining("timed out"),
      },
    ]);
  });
});

describe("a provider that answers otherwise than it should", () => {
  test.each<[string, Answer, string]>([
    [
      "is not there",
      () => new Response("no", { status: 404, headers: { "Content-Type": "text/html" } }),
      "404, text/html, from http://127.0.0.1:",
    ],
    [
      "is no JSON",
      () => new Response("{", { headers: { "Content-Type": "application/json" } }),
      "JSON Parse error",
    ],
    [
      "is another's",
      (issuer) => Response.json({ ...metadataOf(issuer), issuer: `${issuer}/other` }),
      "issuer",
    ],
    ["names no address", (issuer) => Response.json({ issuer }), "authorization_endpoint"],
  ])(
    "is told of by a plain page where what it says of itself %s, and the log says why",
    async (_, discovery, why) => {
      await using scripted = startScriptedProvider({ discovery });
      await using studio = await startTestStudio({ provider: scripted.provider });
      const begun = await open(studio, PAGES.oidcStart);
      expect(begun.status).toBe(503);
      expect(await begun.text()).toContain(
        "<p>Your provider is not set up for this studio. Tell the operator.</p>",
      );
      expect(studio.logged()).toMatchObject([
        { level: "error", message: "the OpenID provider does not tell how to sign in" },
      ]);
      expect(studio.logged()[0]?.reason).toContain(why);
    },
  );

  test.each<[string, Answer, string]>([
    [
      "in the answer",
      () =>
        Response.json(
          { error: "invalid_client", error_description: "The secret that ada@example.com set has expired" },
          { status: 400 },
        ),
      "invalid_client: The secret that … set has expired: 400, ",
    ],
    [
      "in a header",
      () => new Response("", { status: 401, headers: { "WWW-Authenticate": 'Basic realm="x"' } }),
      "401, no type, from http://127.0.0.1:",
    ],
    ["by what is missing", () => Response.json({ access_token: "a", token_type: "bearer" }), '"id_token"'],
  ])("and refuses the studio itself is in the log with its reason, given %s", async (_, token, why) => {
    await using scripted = startScriptedProvider({ token });
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    const arrived = await comeBack(studio, { code: "any" });
    expect(arrived.status).toBe(403);
    expect(await arrived.text()).toContain("<p>Your provider did not let you in.</p>");
    const line = studio.logged().find(({ level }) => level === "warn");
    expect(line?.reason).toContain(why);
    expect(studio.logText()).not.toContain("@");
  });

  test("and sends somebody back with an error is in the log with its name", async () => {
    await using scripted = startScriptedProvider({});
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    expect((await comeBack(studio, { error: "access_denied" })).status).toBe(403);
    expect(studio.logged().find(({ level }) => level === "warn")?.reason).toEndWith(": access_denied");
  });

  test("and refuses in very many letters is in the log with the first of them", async () => {
    const error = { error: "invalid_client", error_description: "x".repeat(100_000) };
    await using scripted = startScriptedProvider({ token: () => Response.json(error, { status: 400 }) });
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    expect((await comeBack(studio, { code: "any" })).status).toBe(403);
    expect(studio.logged().find(({ level }) => level === "warn")?.reason).toMatch(/: x{300}: /);
  });

  test.each(["server_error", "temporarily_unavailable"])(
    "and sends somebody back with %s does not answer",
    async (error) => {
      await using scripted = startScriptedProvider({});
      await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
      const arrived = await comeBack(studio, { error });
      expect(arrived.status).toBe(503);
      expect(await arrived.text()).toContain("Your provider does not answer. Try again soon.");
      expect(studio.logged().find(({ level }) => level === "warn")?.reason).toEndWith(`: ${error}`);
    },
  );

  test("and is asked too often does not answer", async () => {
    await using scripted = startScriptedProvider({ token: () => new Response("later", { status: 429 }) });
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    const arrived = await comeBack(studio, { code: "any" });
    expect(arrived.status).toBe(503);
    expect(await arrived.text()).toContain("Your provider does not answer. Try again soon.");
  });

  test("and begins an answer without an end does not answer", async () => {
    const token = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue("{") }), {
        headers: { "Content-Type": "application/json" },
      });
    await using scripted = startScriptedProvider({ token });
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    const arrived = await comeBack(studio, { code: "any" });
    expect(await arrived.text()).toContain("Your provider does not answer. Try again soon.");
  });

  test("and says of itself more than fits is not read to the end", async () => {
    const discovery = (issuer: string) =>
      new Response(JSON.stringify(metadataOf(issuer)) + " ".repeat(2 * 1024 * 1024), {
        headers: { "Content-Type": "application/json" },
      });
    await using scripted = startScriptedProvider({ discovery });
    await using studio = await startTestStudio({ provider: scripted.provider, now: Date.now });
    expect((await open(studio, PAGES.oidcStart)).status).toBe(503);
    const line = studio.logged().find(({ level }) => level === "error");
    expect(line?.reason).toEndWith("an answer has more than 1048576 bytes");
  });

  test("and cannot be asked for an address tells none", async () => {
    await using it = await withClaims({});
    expect(await (await it.arrive()).text()).toContain(
      "<p>Your provider does not tell your e-mail address.</p>",
    );
  });

  test("and tells whether an address is verified only when asked is asked, as Okta needs", async () => {
    const userinfo = { sub: "somebody", email: EMAIL, email_verified: true };
    await using it = await withClaims({ email: EMAIL }, userinfo);
    expect(await whoCame(it.studio, await it.arrive())).toMatchObject({ user: { email: EMAIL } });
  });
});

/** A studio whose provider puts some claims into its token, and tells others to who asks for them, if to anybody. */
async function withClaims(claims: object, userinfo?: object) {
  await using stack = new AsyncDisposableStack();
  let nonce = "";
  const token = (iss: string) => {
    const iat = Math.floor(Date.now() / 1000);
    const whole = { iss, sub: "somebody", aud: "vitrine-studio", iat, exp: iat + 60, nonce, ...claims };
    const [header, payload] = [{ alg: "RS256" }, whole].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    return Response.json({ access_token: "a", token_type: "bearer", id_token: `${header}.${payload}.AA` });
  };
  const scripted = stack.use(startScriptedProvider({ token, userinfo }));
  const studio = stack.use(await startTestStudio({ provider: scripted.provider, now: Date.now }));
  const arrive = async () => {
    const begun = await open(studio, PAGES.oidcStart);
    const asked = new URL(begun.headers.get("Location") ?? "").searchParams;
    nonce = asked.get("nonce") ?? "";
    const back = `${PAGES.oidcCallback}?${new URLSearchParams({ state: asked.get("state") ?? "", code: "any" })}`;
    return open(studio, back, cookieOf(begun)[0]);
  };
  const opened = stack.move();
  return { studio, arrive, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
