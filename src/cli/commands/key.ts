import { isView, KEY_PATHS, type KeyPath, VIEWS, type View } from "../../contract/access.ts";
import { ExpiryRefused, parseExpiry, parseSpan } from "../../keys/expiry.ts";
import { hashKey, mintKey } from "../../keys/key.ts";
import { KeyEnded, keyStatus, type Rotation, rotationOf, timestampOf } from "../../keys/lifetime.ts";
import { isNameTooLong, MAX_NAME_LENGTH } from "../../keys/name.ts";
import { parsePaths } from "../../keys/paths.ts";
import type { KeyInfo, NewKey, Store } from "../../store/store.ts";
import { type DatabaseOption, existingUser, withReadOnlyStore, withStore } from "../database.ts";
import { Failure, Found, Misuse, noSuchKey } from "../failure.ts";
import {
  oneLine,
  plural,
  print,
  printError,
  printJson,
  printLines,
  printTable,
  showOnce,
} from "../output.ts";
import { asTyped } from "../remedy.ts";
import { shellWord } from "../shell-quotes.ts";

const BATCH = 500;

export interface NewKeyFlags {
  readonly name?: string | undefined;
  readonly expires?: string | undefined;
  readonly view: string;
  readonly only?: string | undefined;
}

/** What the keys of one command have in common. */
type Terms = Required<Pick<NewKey, "name" | "expiresAt" | "view" | "paths">>;

export async function createKey(email: string, options: DatabaseOption & NewKeyFlags): Promise<void> {
  const terms = termsOf(options);
  await withStore(options.database, async (store) => {
    if (email === "-") await createForAll(store, await emailsFromStandardInput(), terms);
    else {
      await existingUser(store, email);
      const key = mintKey(terms.view);
      const made = await store.keys.create([{ email, hash: hashKey(key), ...terms }]);
      await printOr(() => revokeAll(store, made), [key]);
    }
  });
}

function termsOf({ name, expires, view, only }: NewKeyFlags): Terms {
  if (name !== undefined && isNameTooLong(name))
    throw new Misuse(`--name must have at most ${MAX_NAME_LENGTH} characters`);
  return {
    name: name ?? null,
    expiresAt: expires === undefined ? null : expiryAt(expires),
    view: viewNamed(view),
    paths: only === undefined ? null : pathsNamed(only),
  };
}

function viewNamed(text: string): View {
  if (isView(text)) return text;
  throw new Misuse(
    `--view is ${JSON.stringify(text)}, but it must be ${VIEWS.join(" or ")}`,
    "vitrine key create EMAIL --view public",
  );
}

function pathsNamed(text: string): KeyPath[] {
  const paths = parsePaths(text);
  if (paths === undefined)
    throw new Misuse(
      `--only is ${JSON.stringify(text)}, but it must be some of ${KEY_PATHS.join(",")}`,
      "vitrine key create EMAIL --only linktrees,links",
    );
  return paths;
}

function expiryAt(text: string): number {
  try {
    return parseExpiry(text, Date.now());
  } catch (error) {
    if (!(error instanceof ExpiryRefused)) throw error;
    throw new Misuse(
      error.fault === "past"
        ? `--expires ${text} is not in the future`
        : `--expires is ${JSON.stringify(text)}, but it must be a span such as 90d or 12h, or a date`,
      "vitrine key create EMAIL --expires 90d",
    );
  }
}

async function emailsFromStandardInput(): Promise<string[]> {
  const lines = (await Bun.stdin.text()).split("\n").map((line) => line.trim());
  return lines.filter(Boolean);
}

/** Nobody gets a key unless everybody can. */
async function createForAll(store: Store, emails: readonly string[], terms: Terms): Promise<void> {
  if (emails.length === 0) printError("There is no address on standard input, so no key was made.");
  const unknown: string[] = [];
  for (const email of emails) if (!(await store.records.summary(email))) unknown.push(email);
  for (const email of unknown) printError(`there is no user ${email}`);
  if (unknown.length > 0) {
    throw new Failure(
      `${plural(unknown.length, "address", "addresses")} unknown; no key was made`,
      "vitrine user list",
    );
  }
  for (let start = 0; start < emails.length; start += BATCH) {
    const keys = emails.slice(start, start + BATCH).map((email) => ({ email, key: mintKey(terms.view) }));
    const made = await store.keys.create(
      keys.map(({ email, key }) => ({ email, hash: hashKey(key), ...terms })),
    );
    await printOr(
      () => revokeAll(store, made),
      keys.map(({ email, key }) => `${email},${key}`),
    );
  }
}

/** Prints keys that were just made, a line for each. One that nobody can have seen must not go on working. */
async function printOr(revoke: () => Promise<void>, lines: readonly string[]): Promise<void> {
  const words = `${plural(lines.length, "new key")} could not be printed, and ${lines.length === 1 ? "is" : "are"} revoked`;
  await showOnce(() => printLines(lines.map((line) => [line])), revoke, words);
}

async function revokeAll(store: Store, keys: readonly KeyInfo[]): Promise<void> {
  for (const { id } of keys) await store.keys.revoke(id);
}

interface ListOptions extends DatabaseOption {
  readonly expiring?: string;
  readonly json?: true;
}

export async function listKeys(email: string | undefined, options: ListOptions): Promise<void> {
  const { expiring } = options;
  if (expiring !== undefined) return listExpiring(email, expiring, options);
  if (email === undefined)
    throw new Misuse(
      "name a user by e-mail address, or ask with --expiring for the keys of all that end soon",
      "vitrine key list --expiring 14d",
    );
  await withReadOnlyStore(options.database, async (store) => {
    await existingUser(store, email);
    const now = Date.now();
    const keys = await store.keys.of(email);
    if (options.json) printJson(keys.map((key) => describe(key, now)));
    else if (keys.length === 0)
      print(`${email} has no key. Make one with: ${asTyped(`vitrine key create ${shellWord(email)}`)}`);
    else {
      printTable(
        ["ID", "NAME", "STATUS", "VIEW", "PATHS", "CREATED", "EXPIRES", "LAST USED"],
        keys.map((key) => [
          key.id,
          oneLine(key.name ?? "-"),
          keyStatus(key, now),
          key.view,
          key.paths?.join() ?? "all",
          formatTime(key.createdAt),
          formatTime(key.expiresAt),
          formatTime(key.lastUsedAt),
        ]),
      );
    }
  });
}

/** Ends with a status of its own where there are such keys, so that a script need not read what is printed. */
async function listExpiring(
  email: string | undefined,
  expiring: string,
  options: ListOptions,
): Promise<void> {
  const span = parseSpan(expiring);
  if (span === undefined)
    throw new Misuse(
      `--expiring is ${JSON.stringify(expiring)}, but it must be a span such as 14d or 12h`,
      "vitrine key list --expiring 14d",
    );
  await withReadOnlyStore(options.database, async (store) => {
    const user = email === undefined ? undefined : await existingUser(store, email);
    const now = Date.now();
    const all = await store.keys.expiringUntil(now + span);
    const keys = user ? all.filter((key) => key.email === user.email) : all;
    if (options.json) printJson(keys.map((key) => ({ email: key.email, ...describe(key, now) })));
    else if (keys.length === 0) print(`No key expires within ${expiring}.`);
    else {
      printTable(
        ["E-MAIL", "ID", "NAME", "VIEW", "PATHS", "EXPIRES", "LAST USED"],
        keys.map((key) => [
          key.email,
          key.id,
          oneLine(key.name ?? "-"),
          key.view,
          key.paths?.join() ?? "all",
          formatTime(key.expiresAt),
          formatTime(key.lastUsedAt),
        ]),
      );
    }
    if (keys.length > 0)
      throw new Found(
        `${plural(keys.length, "key")} ${keys.length === 1 ? "expires" : "expire"} within ${expiring}`,
        "vitrine key rotate ID",
      );
  });
}

export async function revokeKey(id: string, options: DatabaseOption): Promise<void> {
  await withStore(options.database, async (store) => {
    const key = await store.keys.revoke(id);
    if (!key) throw noSuchKey(id);
    print(`Revoked ${id} of ${key.email}. It no longer works.`);
  });
}

export async function rotateKey(id: string, options: DatabaseOption & { grace: string }): Promise<void> {
  const grace = parseSpan(options.grace);
  if (grace === undefined) {
    throw new Misuse(
      `--grace is ${JSON.stringify(options.grace)}, but it must be a span such as 24h or 7d`,
      "vitrine key rotate ID --grace 24h",
    );
  }
  await withStore(options.database, async (store) => {
    const old = await store.keys.find(id);
    if (!old) throw noSuchKey(id);
    const { expiresAt, oldExpiresAt } = rotationAt(Date.now(), old, grace);
    const key = mintKey(old.view);
    const made = await store.keys.rotate(id, { hash: hashKey(key), expiresAt, oldExpiresAt });
    await printOr(() => store.keys.undoRotation(made.id, old, oldExpiresAt), [key]);
    const end = grace === 0 ? "now" : `at ${formatTime(oldExpiresAt)} UTC`;
    printError(`The old key ${id} stops working ${end}.`);
  });
}

function rotationAt(now: number, old: KeyInfo, grace: number): Rotation {
  try {
    return rotationOf(old, grace, now);
  } catch (error) {
    if (!(error instanceof KeyEnded)) throw error;
    throw new Failure(`the key ${old.id} is ${error.status}`, `vitrine key create ${shellWord(old.email)}`);
  }
}

function formatTime(instant: number | null): string {
  return timestampOf(instant)?.slice(0, 16).replace("T", " ") ?? "-";
}

function describe(key: KeyInfo, now: number): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    status: keyStatus(key, now),
    view: key.view,
    paths: key.paths,
    createdAt: timestampOf(key.createdAt),
    expiresAt: timestampOf(key.expiresAt),
    revokedAt: timestampOf(key.revokedAt),
    lastUsedAt: timestampOf(key.lastUsedAt),
  };
}
