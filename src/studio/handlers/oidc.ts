import { slugFaults } from "../../contract/texts.ts";
import { checkRecord } from "../../records/schema.ts";
import type { Studio } from "../call.ts";
import { FRAGMENTS, PAGES } from "../contract.ts";
import { StudioFault } from "../faults.ts";
import { type Identity, type Journey, type Provider, ProviderRefused } from "../oidc.ts";
import { redirectResponse } from "../responses.ts";
import { hashSecret, mintSecret } from "../secrets.ts";
import { letIn, nameOf } from "../visitors.ts";

/** How long somebody may stay at the provider. */
const JOURNEY_MS = 10 * 60 * 1000;

/** What a ticket keeps: the journey, and a hash of the cookie of the browser that began it. */
interface Begun {
  readonly journey: Journey;
  readonly browser: string;
}

/**
 * Sends somebody to the provider. The cookie makes sure that the same browser comes back. One that has it already keeps
 * it, so that journeys that were begun in several windows all come to their end.
 */
export async function startJourney(studio: Studio, provider: Provider, request: Request): Promise<Response> {
  const browser = studio.cookies.journey(request) || mintSecret();
  const state = mintSecret();
  const begun = provider.begin(state, studio.address.origin + PAGES.oidcCallback);
  const { url, journey } = await begun.catch((error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
    studio.log.error("the OpenID provider does not tell how to sign in", { reason: error.message });
    throw new StudioFault("unavailable", "Your provider is not set up for this studio. Tell the operator.");
  });
  await studio.store.access.tickets.issue({
    hash: hashSecret(state),
    kind: "oidc",
    userId: null,
    data: JSON.stringify({ journey, browser: markOf(browser) } satisfies Begun),
    expiresAt: studio.now() + JOURNEY_MS,
  });
  return redirectResponse(url, [studio.cookies.setJourney(browser, JOURNEY_MS / 1000)]);
}

/** Lets in somebody who comes back from the provider, or says plainly why not. */
export async function finishJourney(studio: Studio, provider: Provider, request: Request): Promise<Response> {
  const url = new URL(studio.address.origin + PAGES.oidcCallback);
  url.search = new URL(request.url).search;
  const state = url.searchParams.get("state") ?? "";
  const ticket = await studio.store.access.tickets.take(hashSecret(state), "oidc");
  const { journey, browser } = JSON.parse(ticket?.data ?? "{}") as Partial<Begun>;
  if (!journey || markOf(studio.cookies.journey(request) ?? "") !== browser)
    throw new StudioFault("not-allowed", "That took too long, or began in another browser.");
  const identity = await provider.finish(url, state, journey).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
    studio.log.warn("the OpenID provider let nobody in", { reason: error.message });
    throw new StudioFault("not-allowed", "Your provider did not let you in.");
  });
  const userId = await userOf(identity, studio, provider);
  const cookies: string[] = [];
  const call = {
    studio,
    request,
    setCookie: (cookie: string) => void cookies.push(cookie),
    name: (id: string | null) => studio.log.info("studio", { who: nameOf(id), route: "oidc", status: 302 }),
  };
  const { session } = await letIn(call, userId, "oidc");
  return redirectResponse(`${studio.address.origin}${PAGES.home}#${FRAGMENTS.session}=${session}`, cookies);
}

function markOf(browser: string): string {
  return Buffer.from(hashSecret(browser)).toString("base64url");
}

/** Why somebody whom the provider knows is not let in: for the log, and in words for the person. */
const REFUSALS = {
  "no address": "Your provider does not tell your e-mail address.",
  "address is not verified": "Your provider has not verified your e-mail address.",
  "not known": "You are not known here. Ask the operator for an invitation.",
  "address is against a rule": "Your e-mail address cannot be used here.",
  "user is bound to another subject": "Your e-mail address belongs to another account at your provider.",
} as const;

function refusal(reason: keyof typeof REFUSALS, { log }: Studio): StudioFault {
  log.warn("somebody whom the OpenID provider knows was not let in", { reason });
  return new StudioFault("not-allowed", REFUSALS[reason]);
}

/** The user whom an identity is bound to. It is bound by a verified e-mail address, once. */
async function userOf(
  { issuer, subject, email, isVerified, name }: Identity,
  studio: Studio,
  { createsUsers }: Provider,
): Promise<string> {
  const { records, access } = studio.store;
  const known = await access.identities.find(issuer, subject);
  if (known !== null) return known;
  if (email === undefined) throw refusal("no address", studio);
  if (!isVerified) throw refusal("address is not verified", studio);
  const there = await records.summary(email);
  if (!there && !createsUsers) throw refusal("not known", studio);
  const user = there ?? (await createUser(email, name, studio));
  if (!user) throw refusal("address is against a rule", studio);
  if (!(await access.identities.bind(issuer, subject, user.id)))
    throw refusal("user is bound to another subject", studio);
  return user.id;
}

/** A private profile with nothing in it but a name, under a slug that nobody has. */
async function createUser(email: string, name: string | undefined, { store }: Studio) {
  const wanted = email.split("@")[0]?.toLowerCase().normalize() ?? "";
  const start = slugFaults(wanted).length === 0 ? wanted : "owner";
  const slug = `${start.slice(0, 80)}-${crypto.randomUUID().slice(0, 8)}`;
  const checkWith = (value: string | null) =>
    checkRecord({ email, profile: { isPublic: false, slug, name: { isPublic: false, value } } });
  let checked = checkWith(name ?? null);
  // A name that no record may have is left out: it can be written in the studio.
  if ("problems" in checked) checked = checkWith(null);
  if ("problems" in checked) return null;
  await store.records.save([checked.input], "studio");
  return store.records.summary(email);
}
