import { hashKey, mintKey } from "../../src/keys/key.ts";
import type { Belongings } from "../../src/store/belongings.ts";
import type { Contents, CountRow, KeyRow, StoredHook, UserRow, WholeUser } from "../../src/store/contents.ts";
import type { Count } from "../../src/store/count-writer.ts";
import type { Store } from "../../src/store/store.ts";
import type { TestDatabase } from "./engines.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

export interface Everything {
  readonly users: WholeUser[];
  readonly keys: KeyRow[];
  readonly hooks: StoredHook[];
  readonly counts: CountRow[];
}

/** Every row of a database that a copy takes along, in order. */
export async function everythingIn(database: TestDatabase): Promise<Everything> {
  const reader = await database.openSource();
  try {
    return await reader.asOfOneMoment(allOf);
  } finally {
    await reader.close();
  }
}

export async function allOf(contents: Contents): Promise<Everything> {
  const keys = await every((last: KeyRow | undefined) => contents.keysAfter(last));
  const users = await every((last: UserRow | undefined) => contents.usersAfter(last));
  const belongings = await contents.belongingsOf(users);
  return {
    users: users.map((user, index) => ({ ...user, belongings: belongings[index] as Belongings })),
    // As plain bytes, whatever an engine returns them in.
    keys: keys.map((key) => ({ ...key, hash: new Uint8Array(key.hash) })),
    hooks: await every((last: StoredHook | undefined) => contents.hooksAfter(last)),
    counts: await every((last: CountRow | undefined) => contents.countsAfter(last)),
  };
}

async function every<Row>(readAfter: (last: Row | undefined) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const rows = await readAfter(all.at(-1));
    if (rows.length === 0) return all;
    all.push(...rows);
  }
}

/** Writes all of it as a copy does. */
export async function putEverything(
  database: TestDatabase,
  { users, keys, hooks, counts }: Everything,
): Promise<void> {
  await (await database.openStore()).close();
  const writer = await database.openContentsWriter();
  try {
    if (users.length > 0) await writer.putUsers(users);
    if (keys.length > 0) await writer.putKeys(keys);
    if (hooks.length > 0) await writer.putHooks(hooks);
    if (counts.length > 0) await writer.putCounts(counts);
  } finally {
    await writer.close();
  }
}

/** Adds to what was counted for the first tree of a user, or for one of its links. */
export async function count(
  database: TestDatabase,
  ...counts: readonly (Partial<Count> & { email?: string })[]
): Promise<void> {
  const { users } = await everythingIn(database);
  const full = counts.map(({ email = writtenRecord(1).email, ...given }) => {
    const user = users.find((it) => it.email === email);
    if (!user) throw new Error(`no user ${email}`);
    const { linkTrees } = JSON.parse(user.record) as { linkTrees: { id: string }[] };
    const treeId = linkTrees[0]?.id ?? "";
    return { userNumber: user.number, treeId, linkId: "", day: "2026-04-12", count: 1, ...given };
  });
  const writer = await database.openCountWriter();
  await writer.write({ counts: full, keyIds: [], usedAt: 0 });
  await writer.close();
}

/** Notes that a key was used. */
export async function use(database: TestDatabase, keyId: string, usedAt: number): Promise<void> {
  const writer = await database.openCountWriter();
  await writer.write({ counts: [], keyIds: [keyId], usedAt });
  await writer.close();
}

/**
 * Three people, whose numbers have a gap between them; keys in every state, the first of them as it is shown; a hook;
 * counts of views and clicks; and what the studio keeps.
 */
export async function fill(database: TestDatabase): Promise<{ key: string }> {
  const key = mintKey();
  const store = await database.openStore();
  try {
    await store.records.save([1, 2, 3, 4].map((number) => checkedRecord(writtenRecord(number))));
    await store.records.delete(writtenRecord(2).email);
    const keyFor = (number: number, text = mintKey()) => ({
      email: writtenRecord(number).email,
      hash: hashKey(text),
      name: `it's "${number}" 👩🏽‍🚀`,
      expiresAt: null,
    });
    const [used, revoked, rotated] = await store.keys.create([
      keyFor(1, key),
      keyFor(1),
      {
        ...keyFor(4, mintKey("public")),
        name: null,
        expiresAt: 4_102_444_800_000,
        view: "public",
        paths: ["linktrees", "links"],
      },
    ]);
    if (!used || !revoked || !rotated) throw new Error("no keys were made");
    await use(database, used.id, 1_770_000_000_000);
    await store.keys.revoke(revoked.id);
    const next = { hash: hashKey(mintKey("public")), expiresAt: null, oldExpiresAt: Date.now() };
    await store.keys.rotate(rotated.id, next);
    const fourth = writtenRecord(4).email;
    await store.hooks.add({
      email: fourth,
      url: "https://hook.example/deploy",
      headers: [["X-Token", "é"]],
      body: null,
      secret: "whsec_x",
      events: ["record.changed", "key.expiring"],
    });
    await count(database, { count: 7 }, { linkId: "b" }, { linkId: "a", count: 3 }, { day: "2026-04-11" });
    await count(database, { email: fourth, count: 2 ** 40 });
    await furnishStudio(store);
  } finally {
    await store.close();
  }
  return { key };
}

/** An earlier version, a picture, a passkey and an identity of the last person, and a session of the operator. */
async function furnishStudio({ records, pictures, access }: Store): Promise<void> {
  const written = writtenRecord(4);
  await records.save([checkedRecord({ ...written, projects: [] })], "studio");
  const { id } = (await records.summary(written.email)) ?? { id: "" };
  const bytes = new Uint8Array([0, 255, 10, 13]);
  await pictures.put(id, { hash: "0f", type: "image/png", bytes });
  const passkey = { name: "it's 👩🏽‍🚀", publicKey: bytes, counter: 2 ** 32 - 1, transports: ["usb", "nfc"] };
  await access.passkeys.add(id, { ...passkey, id: "one" });
  await access.passkeys.add(id, { ...passkey, id: "two" });
  await access.passkeys.noteUse("two", 7);
  await access.identities.bind("https://login.example", "subject", id);
  await access.sessions.open({ hash: bytes, userId: null, way: "link", device: "" });
}
