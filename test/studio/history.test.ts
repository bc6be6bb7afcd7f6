import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pictureHashIn } from "../../src/contract/pictures.ts";
import type { SavedRecord, StoredRecord, Version, VersionDetails } from "../../src/studio/contract.ts";
import { versionsOf } from "../../src/studio/versions.ts";
import { withValue } from "../support/edit-record.ts";
import { startTestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

async function edited() {
  const studio = await startTestStudio();
  const as = await studio.enterAsOwner();
  const params = { user: (await studio.record()).id };
  const read = async <Answer>(response: Promise<Response>) => (await (await response).json()) as Answer;
  const save = async (place: string, value: unknown) => {
    const { record, revision } = await read<StoredRecord>(studio.call("showRecord", { as, params }));
    const body = { record: withValue(record, place, value), revision };
    return read<SavedRecord>(studio.call("saveRecord", { as, params, body }));
  };
  return {
    studio,
    as,
    params,
    save,
    upload: async (body: Uint8Array) =>
      (await read<{ url: string }>(studio.call("uploadPicture", { as, params, body }))).url,
    versions: () => read<Version[]>(studio.call("listVersions", { as, params })),
    show: (version: string) =>
      read<VersionDetails>(studio.call("showVersion", { as, params: { ...params, version } })),
    restore: (version: string, revision: string) =>
      studio.call("restoreVersion", { as, params: { ...params, version }, body: { revision } }),
    [Symbol.asyncDispose]: () => studio[Symbol.asyncDispose](),
  };
}

function jpeg(number: number): Uint8Array {
  return new Uint8Array([0xff, 0xd8, 0xff, number]);
}

describe("the history in the studio", () => {
  test("lets others be answered between any two versions", async () => {
    await using it = await edited();
    for (let number = 1; number < 10; number++) await it.save("profile.summary.value", `Version ${number}.`);
    let [turns, isCounting] = [0, true];
    const count = () => {
      turns++;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const versions = await versionsOf(it.params.user, it.studio.store);
    isCounting = false;
    expect(versions).toHaveLength(10);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  test("says when, by which way and what differed, the newest first", async () => {
    await using it = await edited();
    expect(await it.versions()).toEqual([
      { version: 1, savedAt: "2026-04-12T08:30:00.000Z", way: "created", differences: [], isCurrent: true },
    ]);
    it.studio.clock.advance(60_000);
    await it.save("profile.summary.value", "Builds things.");
    await it.save("linkTrees[0].links", []);
    const versions = await it.versions();
    expect(versions.map(({ version, way, isCurrent }) => [version, way, isCurrent])).toEqual([
      [3, "studio", true],
      [2, "studio", false],
      [1, "created", false],
    ]);
    expect(versions[1]).toMatchObject({
      savedAt: "2026-04-12T08:31:00.000Z",
      differences: [{ path: ["profile", "summary"], message: "summary changed" }],
    });
    expect(versions[0]?.differences[0]?.message).toMatch(/^link tree “.+”: \d links? removed$/);
  });

  test("brings a version back as a new one, and keeps what that replaced", async () => {
    await using it = await edited();
    const { revision } = await it.save("profile.summary.value", "Builds things.");
    const shown = await it.show("1");
    expect(shown.record.profile.summary.value).toBe("Makes things.");
    expect(shown.wouldChange).toEqual([{ path: ["profile", "summary"], message: "summary changed" }]);
    const restored = (await (await it.restore("1", revision)).json()) as SavedRecord;
    expect(restored.record.profile.summary.value).toBe("Makes things.");
    expect((await it.versions()).map(({ version, way }) => [version, way])).toEqual([
      [3, "restore"],
      [2, "studio"],
      [1, "created"],
    ]);
    expect((await it.show("2")).record.profile.summary.value).toBe("Builds things.");
    expect((await it.restore("2", revision)).status).toBe(409);
    expect((await it.restore("99", restored.revision)).status).toBe(404);
  });

  test("brings the picture of a version back with it", async () => {
    await using it = await edited();
    const reader = await it.studio.database.openReader();
    const isShown = async (url: string) => (await reader.readPicture(pictureHashIn(url) ?? "")) !== null;
    const [first, second] = [await it.upload(jpeg(1)), await it.upload(jpeg(2))];
    await it.save("profile.avatarUrl.value", first);
    const { revision } = await it.save("profile.avatarUrl.value", second);
    expect([await isShown(first), await isShown(second)]).toEqual([false, true]);
    const restored = (await (await it.restore("2", revision)).json()) as SavedRecord;
    expect(restored.record.profile.avatarUrl.value).toBe(first);
    expect([await isShown(first), await isShown(second)]).toEqual([true, false]);
    await it.restore("3", restored.revision);
    expect([await isShown(first), await isShown(second)]).toEqual([false, true]);
    await reader.close();
  });

  test.each(["owner", "operator"] as const)("brings back all but the address, for the %s", async (who) => {
    await using it = await edited();
    const { studio, params } = it;
    await it.save("profile.summary.value", "Builds things.");
    const operator = await studio.enterAsOperator();
    const before = (await (await studio.call("showRecord", { as: operator, params })).json()) as StoredRecord;
    const body = { ...before, record: withValue(before.record, "email", "new@example.com") };
    const changed = await studio.call("saveRecord", { as: operator, params, body });
    const { revision } = (await changed.json()) as SavedRecord;
    const as = who === "owner" ? it.as : operator;
    const version = { ...params, version: "1" };
    const shown = (await (
      await studio.call("showVersion", { as, params: version })
    ).json()) as VersionDetails;
    expect(shown.wouldChange).toEqual([{ path: ["profile", "summary"], message: "summary changed" }]);
    const restored = await studio.call("restoreVersion", { as, params: version, body: { revision } });
    expect(restored.status).toBe(200);
    const { record } = (await restored.json()) as SavedRecord;
    expect([record.email, record.profile.summary.value]).toEqual(["new@example.com", "Makes things."]);
  });

  test("tells of twenty, each with its way", async () => {
    await using it = await edited();
    for (let count = 0; count < 25; count++) await it.save("profile.location.value", `Place ${count}`);
    const versions = await it.versions();
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 26 - index),
    );
    expect(new Set(versions.map(({ way }) => way))).toEqual(new Set(["studio"]));
  });
});
