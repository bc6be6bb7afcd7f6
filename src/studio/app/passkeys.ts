import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { Passkey } from "../contract.ts";
import { call, Refusal } from "./calls.ts";
import { comeIn } from "./session.ts";

export const canUsePasskeys = browserSupportsWebAuthn;

export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await call("beginPasskeySignIn", {});
  const response = await withoutRefusal(startAuthentication({ optionsJSON }), "No passkey was used.");
  await comeIn(() => call("signInByPasskey", { body: response }));
}

export async function makePasskey(user: string): Promise<Passkey> {
  const optionsJSON = await call("beginPasskey", { user });
  const response = await withoutRefusal(startRegistration({ optionsJSON }), "No passkey was made.");
  return call("addPasskey", { user, body: { name: deviceName(), response } });
}

/** What people call the device that they sit at: a first name for its passkey. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const known = ["iPhone", "iPad", "Android", "Windows", "Mac", "Linux"].find((name) => agent.includes(name));
  return known ?? "This device";
}

/** Whoever closes the browser's window, or has no passkey for this place, is told so in words. */
async function withoutRefusal<Answer>(asked: Promise<Answer>, message: string): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    const reason =
      (error as Error).name === "InvalidStateError" ? "There is one on this device already." : "";
    throw new Refusal({ fault: "not-allowed", message: `${message} ${reason}`.trim() });
  }
}
