import { timestampOf } from "../../keys/lifetime.ts";
import type { PasskeyInfo } from "../../store/access.ts";
import type { SomeHandlers, Studio } from "../call.ts";
import type { Passkey } from "../contract.ts";
import { notFound, StudioFault } from "../faults.ts";
import { hashSecret } from "../secrets.ts";
import { letIn } from "../visitors.ts";
import { webauthn } from "../webauthn.ts";

/** How long somebody has to answer the question of a passkey. */
const QUESTION_MS = 5 * 60 * 1000;

/** More than anybody has devices. Each is asked for by a question of its own, of which a user has one at a time. */
const MOST_PASSKEYS = 100;

const RELYING_PARTY_NAME = "Vitrine";

/*
 * A passkey is all that lets somebody in, so that it asks for more than to be touched: a finger, a face or a code. That
 * is what the library verifies unless it is told otherwise.
 */

export const passkeys: SomeHandlers<
  "beginPasskeySignIn" | "signInByPasskey" | "listPasskeys" | "beginPasskey" | "addPasskey" | "removePasskey"
> = {
  async beginPasskeySignIn({ studio }) {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: studio.address.relyingParty,
      timeout: QUESTION_MS,
      userVerification: "required",
    });
    await ask(studio, options.challenge, null);
    return options;
  },

  async signInByPasskey(call) {
    const { studio, body } = call;
    const passkey = await studio.store.access.passkeys.find(body.id);
    if (!passkey) throw new StudioFault("not-allowed", "This passkey is not known here.");
    await call.countAccount(passkey.userId);
    const { id, publicKey, counter, transports } = passkey;
    const { verifyAuthenticationResponse } = await webauthn();
    const answer = await verified(
      verifyAuthenticationResponse({
        response: body,
        expectedChallenge: (challenge) => wasAsked(studio, challenge, null),
        expectedOrigin: studio.address.origin,
        expectedRPID: studio.address.relyingParty,
        credential: {
          id,
          publicKey: new Uint8Array(publicKey),
          counter,
          transports: [...transports],
        },
      }),
    );
    await studio.store.access.passkeys.noteUse(id, answer.authenticationInfo.newCounter);
    return letIn(call, passkey.userId, "passkey");
  },

  async listPasskeys({ studio, user }) {
    return (await studio.store.access.passkeys.of(user.id)).map(described);
  },

  async beginPasskey({ studio, user }) {
    const known = await studio.store.access.passkeys.of(user.id);
    if (known.length >= MOST_PASSKEYS) {
      const words = `There are ${MOST_PASSKEYS} passkeys already, which is the most.`;
      throw new StudioFault("not-allowed", words);
    }
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: RELYING_PARTY_NAME,
      rpID: studio.address.relyingParty,
      userName: user.email,
      userID: new Uint8Array(hashSecret(user.id)),
      timeout: QUESTION_MS,
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      // Kept by the authenticator itself, so that nobody has to type who they are.
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    await ask(studio, options.challenge, user.id);
    return options;
  },

  async addPasskey({ studio, user, body }) {
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verified(
      verifyRegistrationResponse({
        response: body.response,
        expectedChallenge: (challenge) => wasAsked(studio, challenge, user.id),
        expectedOrigin: studio.address.origin,
        expectedRPID: studio.address.relyingParty,
      }),
    );
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const { passkeys } = studio.store.access;
    if (await passkeys.find(id)) throw new StudioFault("conflict", "This passkey is known here already.");
    return described(await passkeys.add(user.id, { id, name: body.name, publicKey, counter, transports }));
  },

  async removePasskey({ studio, user, params }) {
    if (!(await studio.store.access.passkeys.remove(user.id, params.passkey))) throw notFound("passkey");
    return undefined;
  },
};

/** Remembers a question, and of whom it was asked; without a user, of anybody who wants to sign in. */
function ask({ store, now }: Studio, challenge: string, userId: string | null): Promise<void> {
  return store.access.tickets.issue({
    hash: hashSecret(challenge),
    kind: "passkey",
    userId,
    data: "",
    expiresAt: now() + QUESTION_MS,
  });
}

/** Whether this was asked, and not answered yet. */
async function wasAsked({ store }: Studio, challenge: string, userId: string | null): Promise<boolean> {
  const ticket = await store.access.tickets.take(hashSecret(challenge), "passkey");
  return ticket !== null && ticket.userId === userId;
}

/** The library throws where an answer is not what it should be, and says so where only the signature is not. */
async function verified<Result extends { readonly verified: boolean }>(
  checking: Promise<Result>,
): Promise<Exclude<Result, { verified: false }>> {
  const result = await checking.catch(() => undefined);
  if (!result?.verified)
    throw new StudioFault("not-allowed", "The passkey could not be verified. Try again.");
  return result as Exclude<Result, { verified: false }>;
}

function described({ id, name, createdAt, lastUsedAt }: PasskeyInfo): Passkey {
  return {
    id,
    name,
    createdAt: timestampOf(createdAt),
    lastUsedAt: timestampOf(lastUsedAt),
  };
}
