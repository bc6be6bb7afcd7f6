import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../src/async/turn.ts";
import { RENDITION_VERSION } from "../../src/documents/version.ts";
import { rebuild } from "../support/databases.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { answerOf, type OpenedStore, openStore } from "../support/opened-store.ts";
import { withPlainBytes } from "../support/plain-bytes.ts";
import { writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";
import { everythingAt } from "../support/version-one.ts";

interface Row {
  readonly kind: string;
  readonly tree_id: string;
  readonly etag: string;
  readonly version: number;
}

/** The rows of what was kept, whosever it is. */
async function rowsIn({ database }: OpenedStore): Promise<Row[]> {
  return (await everythingAt(database.location)).renditions as Row[];
}

async function kindsIn(opened: OpenedStore): Promise<string[]> {
  return (await rowsIn(opened)).map(({ kind }) => kind).toSorted();
}

/** Everything that is made of the first person when it is asked for, by a name of its own. */
async function askForAll(opened: OpenedStore) {
  const { reader } = opened;
  const [full, shown] = [await opened.key(), await opened.key({ view: "public" })];
  const resumes = [
    await opened.read(full.hash, "resume", "full"),
    await opened.read(shown.hash, "resume", "public"),
  ];
  return withPlainBytes({
    page: await opened.readPage("everything-1"),
    pageTag: await reader.readPageTag("everything-1"),
    otherPage: await opened.readPage("empty-1"),
    profile: await reader.readProfilePage("person-1"),
    profileTag: await reader.readProfilePageTag("person-1"),
    card: await reader.readProfileFile("person-1", "card"),
    resumeFile: await reader.readProfileFile("person-1", "resume"),
    resumes: resumes.map(answerOf),
    previews: [await opened.readPreview("t", "everything-1"), await opened.readPreview("p", "person-1")],
  });
}

const ALL_KINDS = ["card", "page", "page", "profile", "public resume", "resume"];

export function renditionSentences(engine: Engine): void {
  describe(`${engine.name}: a page, a card or a résumé`, () => {
    test("is not made for a key that was revoked", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const { hash, info } = await opened.key();
      await opened.store.keys.revoke(info.id);
      expect(await opened.read(hash, "resume")).toMatchObject({ keyId: info.id, etag: null, body: null });
      expect(opened.takeMade()).toEqual([]);
    });

    test("is not stored with a save, but made when it is first asked for", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      expect(await rowsIn(opened)).toEqual([]);
      await askForAll(opened);
      await opened.keepMade();
      expect(await kindsIn(opened)).toEqual(ALL_KINDS);
    });

    test("is the same once it is kept, and is not made again", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const made = await askForAll(opened);
      expect(Object.values(made)).not.toContain(null);
      await opened.keepMade();
      expect(await askForAll(opened)).toEqual(made);
      expect(opened.takeMade()).toEqual([]);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("is made for whoever asks until it is kept", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const one = await opened.readPage("everything-1");
      const other = await opened.readPage("everything-1");
      expect(other).toEqual(one);
      expect(opened.takeMade()).toHaveLength(2);
    });

    test("can be kept twice at once, and again", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await opened.readPage("everything-1");
      await opened.readPage("everything-1");
      const made = opened.takeMade();
      await opened.writer.renditions.keep(made);
      await opened.writer.renditions.keep(made);
      expect(await rowsIn(opened)).toHaveLength(1);
    });

    test("is kept of no record that has changed since", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      await askForAll(opened);
      await opened.readPage("everything-2");
      await opened.save(withValue(writtenRecord(), "profile.name.value", "Another Name"));
      await opened.keepMade();
      // Of the other person, who has not changed, it is.
      expect(await kindsIn(opened)).toEqual(["page"]);
      expect((await opened.readPage("everything-1"))?.scene).toContain("Another Name");
    });

    test("is kept of nobody who is gone", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await askForAll(opened);
      await opened.store.records.delete("person1@example.com");
      await opened.keepMade();
      expect(await rowsIn(opened)).toEqual([]);
      expect(await opened.integrityFaults()).toEqual([]);
    });

    test("goes with a save of its user, and with no other", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const before = await askForAll(opened);
      await opened.readPage("everything-2");
      await opened.keepMade();
      await opened.save(withValue(writtenRecord(), "jobs[0].title", "Another title"));
      expect(await kindsIn(opened)).toEqual(["page"]);
      const after = await askForAll(opened);
      expect(after.profile?.etag).not.toBe(before.profile?.etag ?? "");
      expect(after.resumes[0]?.text).toContain("Another title");
      expect(after.page).toEqual(before.page);
    });

    test("stays where a save changes nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await askForAll(opened);
      await opened.keepMade();
      await opened.save(writtenRecord());
      expect(await kindsIn(opened)).toEqual(ALL_KINDS);
    });

    test("goes when documents are made anew, and is then made of the record again", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await askForAll(opened);
      await opened.keepMade();
      await rebuild(opened.store);
      expect(await rowsIn(opened)).toEqual([]);
      expect(await askForAll(opened)).toEqual(before);
    });

    test("goes with its user", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await askForAll(opened);
      await opened.keepMade();
      await opened.store.records.delete("person1@example.com");
      expect(await rowsIn(opened)).toEqual([]);
      const { reader } = opened;
      expect(await opened.readPage("everything-1")).toBeNull();
      expect(await reader.readProfileFile("person-1", "resume")).toBeNull();
    });

    test("of an older version counts as not there, and is replaced", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const made = await askForAll(opened);
      await opened.keepMade();
      await outdate(opened, "version - 1");
      expect(await askForAll(opened)).toEqual(made);
      await opened.keepMade();
      const rows = await rowsIn(opened);
      expect(rows).toHaveLength(ALL_KINDS.length);
      expect(rows.filter(({ etag, version }) => etag === '"other"' || version !== RENDITION_VERSION)).toEqual(
        [],
      );
    });

    test("of a newer version counts as not there, and stays", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const made = await askForAll(opened);
      await opened.keepMade();
      await outdate(opened, "version + 1");
      expect(await askForAll(opened)).toEqual(made);
      await opened.keepMade();
      const rows = await rowsIn(opened);
      expect(rows).toHaveLength(ALL_KINDS.length);
      expect(
        rows.filter(({ etag, version }) => etag === '"other"' && version === RENDITION_VERSION + 1),
      ).toHaveLength(ALL_KINDS.length);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("of a tree whose page is off is not there, and is not kept", async () => {
      await using opened = await openStore(engine);
      await opened.save(withValue(writtenRecord(), "linkTrees[0].hasPage", false));
      expect(await opened.readPage("everything-1")).toBeNull();
      expect(await opened.reader.readPageTag("everything-1")).toBeNull();
      expect(await opened.readPreview("t", "everything-1")).toBeNull();
      expect(opened.takeMade()).toEqual([]);
      expect(await opened.readPage("empty-1")).not.toBeNull();
    });

    test("of a private profile is not there for everybody, though a key of the public view has the résumé", async () => {
      await using opened = await openStore(engine);
      await opened.save(withValue(writtenRecord(), "profile.isPublic", false));
      const { hash } = await opened.key({ view: "public" });
      const { reader } = opened;
      const expectNothing = async () => {
        await nextTurn();
        expect(await reader.readProfilePage("person-1")).toBeNull();
        expect(await reader.readProfilePageTag("person-1")).toBeNull();
        expect(await reader.readProfileFile("person-1", "card")).toBeNull();
        expect(await reader.readProfileFile("person-1", "resume")).toBeNull();
        expect(await opened.readPreview("p", "person-1")).toBeNull();
      };
      await expectNothing();
      expect(opened.takeMade()).toEqual([]);
      const resume = answerOf(await opened.read(hash, "resume", "public"));
      expect(JSON.parse(resume?.text ?? "")).toMatchObject({ work: [], projects: [] });
      await opened.keepMade();
      expect(await kindsIn(opened)).toEqual(["public resume"]);
      // Stored or not, that is for keys alone.
      await expectNothing();
      expect(answerOf(await opened.read(hash, "resume", "public"))).toEqual(resume);
    });

    test("that nobody may see is known not to be there without a look at the record", async () => {
      await using opened = await openStore(engine);
      const off = withValue(writtenRecord(), "linkTrees[0].hasPage", false);
      await opened.save(withValue(off, "profile.isPublic", false));
      // Who looks fails.
      await tamperWith(
        { database: opened.database.location },
        "UPDATE users SET packed_record = substr(packed_record, 2)",
      );
      const { reader } = opened;
      await nextTurn();
      expect(await reader.readPage("everything-1")).toBeNull();
      expect(await reader.readPageTag("everything-1")).toBeNull();
      expect(await reader.readPreview("t", "everything-1")).toBeNull();
      expect(await reader.readProfilePage("person-1")).toBeNull();
      expect(await reader.readProfilePageTag("person-1")).toBeNull();
      expect(await reader.readProfileFile("person-1", "card")).toBeNull();
      expect(await reader.readProfileFile("person-1", "resume")).toBeNull();
      expect(await reader.readPreview("p", "person-1")).toBeNull();
      await expect(reader.readPage("empty-1")).rejects.toThrow();
    });

    test("that was kept of a public profile is gone once that is private", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await askForAll(opened);
      await opened.keepMade();
      await opened.save(withValue(writtenRecord(), "profile.isPublic", false));
      const { reader } = opened;
      expect(await rowsIn(opened)).toEqual([]);
      await nextTurn();
      expect(await reader.readProfilePage("person-1")).toBeNull();
      expect(await reader.readProfileFile("person-1", "resume")).toBeNull();
    });
  });
}

/** Makes all that is kept something that another version has made. */
async function outdate({ database }: OpenedStore, version: string): Promise<void> {
  await tamperWith(
    { database: database.location },
    `UPDATE renditions SET version = ${version}, etag = '"other"', scene = 'other'`,
  );
}
