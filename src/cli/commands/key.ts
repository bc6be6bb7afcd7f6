import { hashKey, mintKey } from "../../keys/key.ts";
import type { DatabaseLocation } from "../../store/database-url.ts";
import type { KeyInfo, Store } from "../../store/store.ts";
import { withStore } from "../database.ts";
import { Failure, Misuse, noSuchKey, noSuchUser } from "../failure.ts";
import { formatTime, plural, print, printError, printJson, printTable } from "../output.ts";
import { parseDuration, parseExpiry } from "../time.ts";

interface KeyOptions {
  readonly database: DatabaseLocation;
}

const BATCH = 500;

export async function createKey(
  email: string,
  options: KeyOptions & { name?: string | undefined; expires?: string | undefined },
): Promise<void> {
  const name = options.name ?? null;
  if (name !== null && name.length > 200) throw new Misuse("--name must have at most 200 characters");
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, Date.now());
  await withStore(options.database, async (store) => {
    if (email === "-") await createForAll(store, await emailsFromStandardInput(), { name, expiresAt });
    else {
      if (!(await store.findRecord(email))) throw noSuchUser(email);
      const key = mintKey();
      await store.createKeys([{ email, hash: hashKey(key), name, expiresAt }]);
      print(key);
    }
  });
}

async function emailsFromStandardInput(): Promise<string[]> {
  const lines = (await Bun.stdin.text()).split("\n").map((line) => line.trim());
  return lines.filter(Boolean);
}

/** Nobody gets a key unless everybody can. */
async function createForAll(
  store: Store,
  emails: readonly string[],
  terms: Pick<KeyInfo, "name" | "expiresAt">,
): Promise<void> {
  if (emails.length === 0) printError("There is no address on standard input, so no key was made.");
  const unknown: string[] = [];
  for (const email of emails) if (!(await store.findRecord(email))) unknown.push(email);
  for (const email of unknown) printError(`there is no user ${email}`);
  if (unknown.length > 0) {
    throw new Failure(
      `${plural(unknown.length, "address", "addresses")} unknown; no key was made`,
      "vitrine user list",
    );
  }
  for (let start = 0; start < emails.length; start += BATCH) {
    const keys = emails.slice(start, start + BATCH).map((email) => ({ email, key: mintKey() }));
    await store.createKeys(keys.map(({ email, key }) => ({ email, hash: hashKey(key), ...terms })));
    print(keys.map(({ email, key }) => `${email},${key}`).join("\n"));
  }
}

export async function listKeys(email: string, options: KeyOptions & { json: boolean }): Promise<void> {
  await withStore(options.database, async (store) => {
    if (!(await store.findRecord(email))) throw noSuchUser(email);
    const now = Date.now();
    const keys = await store.keysOf(email);
    if (options.json) printJson(keys.map((key) => describe(key, now)));
    else if (keys.length === 0) print(`${email} has no key. Make one with: vitrine key create ${email}`);
    else {
      printTable(
        ["ID", "NAME", "STATUS", "CREATED", "EXPIRES", "LAST USED"],
        keys.map((key) => [
          key.id,
          key.name ?? "-",
          statusOf(key, now),
          formatTime(key.createdAt),
          formatTime(key.expiresAt),
          formatTime(key.lastUsedAt),
        ]),
      );
    }
  });
}

export async function revokeKey(id: string, options: KeyOptions): Promise<void> {
  await withStore(options.database, async (store) => {
    const key = await store.revokeKey(id);
    if (!key) throw noSuchKey(id);
    print(`Revoked ${id} of ${key.email}. It no longer works.`);
  });
}

export async function rotateKey(id: string, options: KeyOptions & { grace: string }): Promise<void> {
  const grace = parseDuration(options.grace);
  if (grace === undefined) {
    throw new Misuse(
      `--grace is ${JSON.stringify(options.grace)}, but it must be a span such as 24h or 7d`,
      "vitrine key rotate ID --grace 24h",
    );
  }
  await withStore(options.database, async (store) => {
    const old = await store.findKey(id);
    if (!old) throw noSuchKey(id);
    const now = Date.now();
    const status = statusOf(old, now);
    if (status !== "active")
      throw new Failure(`the key ${id} is ${status}`, `vitrine key create ${old.email}`);
    // The new key lives as long from now as the old one did from its making.
    const expiresAt = old.expiresAt === null ? null : now + (old.expiresAt - old.createdAt);
    const key = mintKey();
    await store.rotateKey(id, { hash: hashKey(key), expiresAt, oldExpiresAt: now + grace });
    print(key);
    printError(
      `The old key ${id} stops working ${grace === 0 ? "now" : `at ${formatTime(now + grace)} UTC`}.`,
    );
  });
}

function statusOf(key: KeyInfo, now: number): "active" | "revoked" | "expired" {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}

function describe(key: KeyInfo, now: number): Record<string, string | null> {
  const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
  return {
    id: key.id,
    name: key.name,
    status: statusOf(key, now),
    createdAt: iso(key.createdAt),
    expiresAt: iso(key.expiresAt),
    revokedAt: iso(key.revokedAt),
    lastUsedAt: iso(key.lastUsedAt),
  };
}
