import { describe, expect, test } from "bun:test";
import { type CopyProgress, type CopyResult, copyContents } from "../../src/exchange/copy/copy.ts";
import { ForeignContents, NoSource, SidesDiffer, WrongDocuments } from "../../src/exchange/copy/errors.ts";
import { describeDatabase, parseDatabaseUrl } from "../../src/store/location.ts";
import { OtherSchema } from "../../src/store/unavailable.ts";
import { count, everythingIn, fill } from "../support/contents.ts";
import { sqlite, type TestDatabase } from "../support/engines.ts";
import { writtenRecord } from "../support/records.ts";
import { tamper } from "../support/tampering.ts";
import { Turns } from "../support/turns.ts";

const ALL = { users: 3, keys: 4, hooks: 1, counts: 5 };

function locationOf({ url }: TestDatabase) {
  const location = parseDatabaseUrl(url);
  if (!location) throw new Error(`not a URL of a database: ${url}`);
  return location;
}

function fileOf(database: TestDatabase): string {
  return describeDatabase(locationOf(database));
}

async function copy(
  source: TestDatabase,
  target: TestDatabase,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<CopyResult> {
  return copyContents(locationOf(source), locationOf(target), onProgress);
}

/** A filled source, and a target that is a copy of it. */
async function copiedPair() {
  await using stack = new AsyncDisposableStack();
  const source = stack.use(await sqlite.create());
  const target = stack.use(await sqlite.create());
  await fill(source);
  await copy(source, target);
  const opened = stack.move();
  return { source, target, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function refusalOf(copying: Promise<CopyResult>): Promise<unknown> {
  return copying.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a copy", () => {
  test("lets the event loop turn after every step, so that signals are heard", async () => {
    await using pair = await copiedPair();
    const turns = new Turns();
    await copy(pair.source, pair.target, () => turns.note());
    expect(turns.afterEach.length).toBeGreaterThan(1);
    expect(turns.afterEach).not.toContain(false);
  });

  test("says how many rows it has written, and how many are the same in the end", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    await fill(source);
    expect(await copy(source, target)).toEqual({ copied: ALL, verified: ALL });
    expect(await everythingIn(target)).toEqual(await everythingIn(source));
    expect(await copy(source, target)).toEqual({
      copied: { users: 0, keys: 0, hooks: 0, counts: 0 },
      verified: ALL,
    });
  });

  test("tells at each step how far it is", async () => {
    await using pair = await copiedPair();
    const seen: CopyProgress[] = [];
    await copy(pair.source, pair.target, (progress) => seen.push(progress));
    const rows = (step: CopyProgress["step"]) =>
      Object.entries(ALL).map(([what, total]) => ({ step, what, done: total, total }));
    expect(seen as unknown[]).toEqual([
      ...rows("checking"),
      ...rows("copying"),
      ...rows("verifying"),
      { step: "verifying", what: "documents", done: 3, total: 3 },
    ]);
  });
});

describe("a copy throws", () => {
  test("NoSource where there is nothing to copy from", async () => {
    await using source = await sqlite.create();
    await using target = await sqlite.create();
    expect(await refusalOf(copy(source, target))).toBeInstanceOf(NoSource);
  });

  test("OtherSchema with the version it has found", async () => {
    await using pair = await copiedPair();
    tamper(fileOf(pair.source), "PRAGMA user_version = 99");
    const error = await refusalOf(copy(pair.source, pair.target));
    expect(error).toBeInstanceOf(OtherSchema);
    expect(error).toMatchObject({ version: { found: 99, expected: expect.any(Number) } });
  });

  test("ForeignContents with the row that would be lost", async () => {
    await using pair = await copiedPair();
    await count(pair.target, { day: "2026-05-01" });
    expect(await refusalOf(copy(pair.source, pair.target))).toEqual(
      new ForeignContents({ what: "count", day: "2026-05-01" }),
    );
    const { email } = writtenRecord(1);
    tamper(fileOf(pair.source), `DELETE FROM users WHERE email = '${email}'`);
    const error = await refusalOf(copy(pair.source, pair.target));
    expect(error).toMatchObject({ foreign: { what: "user", email, fault: "unknown" } });
  });

  test("SidesDiffer with how much was written meanwhile", async () => {
    await using pair = await copiedPair();
    const error = await refusalOf(
      copy(pair.source, pair.target, ({ step, what }) => {
        if (step === "copying" && what === "counts")
          tamper(fileOf(pair.source), "UPDATE counts SET count = count + 1");
      }),
    );
    expect(error).toBeInstanceOf(SidesDiffer);
    expect(error).toMatchObject({ different: { users: 0, keys: 0, hooks: 0, counts: 5 } });
  });

  test("WrongDocuments with how many there are", async () => {
    await using pair = await copiedPair();
    tamper(fileOf(pair.target), `UPDATE answers SET full_etag = '"other"' WHERE user_number = 1`);
    const error = await refusalOf(copy(pair.source, pair.target));
    expect(error).toBeInstanceOf(WrongDocuments);
    expect(error).toMatchObject({ count: 1 });
  });
});
