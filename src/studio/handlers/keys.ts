import { ExpiryRefused, parseExpiry, parseSpan } from "../../keys/expiry.ts";
import { hashKey, mintKey } from "../../keys/key.ts";
import { KeyEnded, keyStatus, rotationOf, timestampOf } from "../../keys/lifetime.ts";
import type { KeyInfo } from "../../store/store.ts";
import type { SomeHandlers } from "../call.ts";
import type { Key } from "../contract.ts";
import { notFound, StudioFault } from "../faults.ts";

/** Ended ones included, which are never removed. More than anybody needs in years, and a script could make millions. */
const MOST_KEYS = 10_000;

export const keys: SomeHandlers<"listKeys" | "createKey" | "rotateKey" | "revokeKey"> = {
  async listKeys({ studio, user }) {
    const all = await studio.store.keys.of(user.email);
    return all.map((key) => described(key, studio.now()));
  },

  async createKey({ studio, user, body }) {
    refuseTooMany(await studio.store.keys.of(user.email));
    const { name, view = "full", paths = null } = body;
    const expiresAt = body.expires === null ? null : expiryOf(body.expires, studio.now());
    const secret = mintKey(view);
    const hash = hashKey(secret);
    const [key] = await studio.store.keys.create([{ email: user.email, hash, name, expiresAt, view, paths }]);
    if (!key) throw notFound("user");
    return { secret, key: described(key, studio.now()) };
  },

  async rotateKey({ studio, user, params, body }) {
    const own = await studio.store.keys.of(user.email);
    refuseTooMany(own);
    const old = keyIn(own, params.key);
    const secret = mintKey(old.view);
    const rotation = rotationFor(old, body.grace, studio.now());
    const key = await studio.store.keys.rotate(old.id, { hash: hashKey(secret), ...rotation });
    return { secret, key: described(key, studio.now()) };
  },

  async revokeKey({ studio, user, params }) {
    const { id } = keyIn(await studio.store.keys.of(user.email), params.key);
    const key = await studio.store.keys.revoke(id);
    if (!key) throw notFound("key");
    return described(key, studio.now());
  },
};

function refuseTooMany(own: readonly KeyInfo[]): void {
  if (own.length < MOST_KEYS) return;
  const words = `There are ${MOST_KEYS.toLocaleString("en")} keys already, ended ones included, which is the most.`;
  throw new StudioFault("not-allowed", words);
}

/** A key of the user's. Those of others are as absent as those that never were. */
function keyIn(own: readonly KeyInfo[], wanted: string): KeyInfo {
  const key = own.find(({ id }) => id === wanted);
  if (!key) throw notFound("key");
  return key;
}

function expiryOf(text: string, now: number): number {
  try {
    return parseExpiry(text, now);
  } catch (error) {
    if (!(error instanceof ExpiryRefused)) throw error;
    const message = error.fault === "past" ? "is not in the future" : "must be a span such as 90d, or a date";
    throw new StudioFault("problems", "No key was made.", { problems: [{ path: ["expires"], message }] });
  }
}

function rotationFor(old: KeyInfo, graceText: string, now: number) {
  const grace = parseSpan(graceText);
  if (grace === undefined) {
    const problems = [{ path: ["grace"], message: "must be a span such as 24h" }];
    throw new StudioFault("problems", "No key was made.", { problems });
  }
  try {
    return rotationOf(old, grace, now);
  } catch (error) {
    if (!(error instanceof KeyEnded)) throw error;
    throw new StudioFault("spent", `The key is ${error.status}. Make a new one instead.`);
  }
}

function described(key: KeyInfo, now: number): Key {
  return {
    id: key.id,
    name: key.name,
    view: key.view,
    paths: key.paths,
    status: keyStatus(key, now),
    createdAt: timestampOf(key.createdAt),
    expiresAt: timestampOf(key.expiresAt),
    revokedAt: timestampOf(key.revokedAt),
    lastUsedAt: timestampOf(key.lastUsedAt),
  };
}
