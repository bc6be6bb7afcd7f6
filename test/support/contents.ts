import { hashKey, mintKey } from "../../src/keys/key.ts";
import type { Contents, CountRow, KeyRow, UserRow } from "../../src/store/contents.ts";
import type { Count } from "../../src/store/tracking-writer.ts";
import type { TestDatabase } from "./engines.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

export interface Everything {
  readonly users: UserRow[];
  readonly keys: KeyRow[];
  readonly counts: CountRow[];
}

/** Every row of a database that a copy takes along, in order. */
export async function everythingIn(database: TestDatabase): Promise<Everything> {
  const reader = await database.openContentsReader();
  try {
    return await reader.asOfOneMoment(allOf);
  } finally {
    await reader.close();
  }
}

export async function allOf(contents: Contents): Promise<Everything> {
  const keys = await every((last: KeyRow | undefined) => contents.keysAfter(last));
  return {
    users: await every((last: UserRow | undefined) => contents.usersAfter(last)),
    // As plain bytes, whatever an engine returns them in.
    keys: keys.map((key) => ({ ...key, hash: new Uint8Array(key.hash) })),
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
  { users, keys, counts }: Everything,
): Promise<void> {
  await (await database.openStore()).close();
  const writer = await database.openContentsWriter();
  try {
    if (users.length > 0) await writer.putUsers(users);
    if (keys.length > 0) await writer.putKeys(keys);
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
  const writer = await database.openTrackingWriter();
  await writer.write({ counts: full, keyIds: [], usedAt: 0 });
  await writer.close();
}

/** Notes that a key was used. */
export async function use(database: TestDatabase, keyId: string, usedAt: number): Promise<void> {
  const writer = await database.openTrackingWriter();
  await writer.write({ counts: [], keyIds: [keyId], usedAt });
  await writer.close();
}

/**
 * Three people, whose numbers have a gap between them; keys in every state, the first of them as it is shown; and
 * counts of views and clicks.
 */
export async function fill(database: TestDatabase): Promise<{ key: string }> {
  const key = mintKey();
  const store = await database.openStore();
  try {
    await store.save([1, 2, 3, 4].map((number) => checkedRecord(writtenRecord(number))));
    await store.deleteUser(writtenRecord(2).email);
    const keyFor = (number: number, text = mintKey()) => ({
      email: writtenRecord(number).email,
      hash: hashKey(text),
      name: `it's "${number}" 👩🏽‍🚀`,
      expiresAt: null,
    });
    const [used, revoked, rotated] = await store.createKeys([
      keyFor(1, key),
      keyFor(1),
      { ...keyFor(4), name: null, expiresAt: 4_102_444_800_000 },
    ]);
    if (!used || !revoked || !rotated) throw new Error("no keys were made");
    await use(database, used.id, 1_770_000_000_000);
    await store.revokeKey(revoked.id);
    const next = { hash: hashKey(mintKey()), expiresAt: null, oldExpiresAt: Date.now() };
    await store.rotateKey(rotated.id, next);
    const fourth = writtenRecord(4).email;
    await count(database, { count: 7 }, { linkId: "b" }, { linkId: "a", count: 3 }, { day: "2026-04-11" });
    await count(database, { email: fourth, count: 2 ** 40 });
  } finally {
    await store.close();
  }
  return { key };
}
