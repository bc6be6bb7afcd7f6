import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../src/async/turn.ts";
import { compile } from "../../src/documents/compile.ts";
import { without, withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { type OpenedStore, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

export function pageSentences(engine: Engine): void {
  const linkIdOf = async (opened: OpenedStore, index: number) =>
    (await opened.record()).linkTrees[0]?.links[index]?.id ?? "";

  describe(`${engine.name}: the page of a link tree`, () => {
    test("is what the record compiles to, by the slug alone", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      for (const email of ["person1@example.com", "person2@example.com"]) {
        const { pages } = compile(await opened.record(email)).documents;
        for (const { slug, treeId, etag, pictureOrigin, opening, scene, html } of pages) {
          expect(await opened.readPage(slug)).toEqual({
            userNumber: expect.any(Number),
            treeId,
            etag,
            pictureOrigin,
            opening,
            scene,
            html: typeof html === "string" ? new TextEncoder().encode(html) : html,
          });
        }
      }
    });

    test("is replaced in the transaction that replaces the tree", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await opened.readPage("everything-1");
      await opened.save(withValue(writtenRecord(), "linkTrees[0].title", "Another title"));
      const after = await opened.readPage("everything-1");
      expect(after?.etag).not.toBe(before?.etag ?? "");
      expect(new TextDecoder().decode(after?.html)).toContain("Another title");
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("moves with the tree's slug, and is gone with the tree and with its owner", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const moved = withValue(await opened.record(), "linkTrees[0].slug", "elsewhere");
      await opened.save(moved);
      expect(await opened.readPage("everything-1")).toBeNull();
      expect(await opened.readPage("elsewhere")).not.toBeNull();
      await opened.save(without(moved, "linkTrees[0]"));
      expect(await opened.readPage("elsewhere")).toBeNull();
      expect(await opened.readPage("empty-1")).not.toBeNull();
      await opened.store.records.delete("person1@example.com");
      expect(await opened.readPage("empty-1")).toBeNull();
    });

    test("that is not there is nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      for (const slug of ["", "nowhere", "EVERYTHING-1", "everything-1 ", "%", "\0"])
        expect(await opened.readPage(slug)).toBeNull();
    });
  });

  describe(`${engine.name}: a link of a page`, () => {
    test("leads to its stored URL", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const page = await opened.readPage("everything-1");
      expect(await opened.readLink("everything-1", await linkIdOf(opened, 1))).toEqual({
        userNumber: page?.userNumber ?? 0,
        treeId: page?.treeId ?? "",
        url: "mailto:person1@example.com",
      });
    });

    test("is found by its own tree's slug and no other", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const id = await linkIdOf(opened, 0);
      for (const slug of ["empty-1", "everything-2", "nowhere"])
        expect(await opened.readLink(slug, id)).toBeNull();
    });

    test.each(["", "nowhere", "$", "$.x", '"', "%", "0", "[0]", "__proto__", "a.b"])(
      "with the id %j is nothing",
      async (id) => {
        await using opened = await openStore(engine);
        await opened.save(writtenRecord());
        expect(await opened.readLink("everything-1", id)).toBeNull();
      },
    );

    test("may have an id that looks like a number or a path", async () => {
      await using opened = await openStore(engine);
      const ids = ["7", "a.b", "1:x~y-z"];
      const links = ids.map((id) => ({ id, label: id, url: `https://example.com/${id}` }));
      await opened.save(withValue(writtenRecord(), "linkTrees[0].links", links));
      for (const { id, url } of links)
        expect(await opened.readLink("everything-1", id)).toMatchObject({ url });
    });
  });

  describe(`${engine.name}: the page of a profile`, () => {
    const bytes = (text: string | Uint8Array) =>
      typeof text === "string" ? new TextEncoder().encode(text) : text;

    test("is what the record compiles to, with its files, by the profile's slug", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { documents } = compile(await opened.record());
      const { profilePage: page } = documents;
      if (!page) throw new Error("no page");
      const { etag, pictureOrigin, opening, scene } = page;
      expect(await opened.reader.readProfilePage("person-1")).toEqual({
        etag,
        pictureOrigin,
        opening,
        scene,
        html: bytes(page.html),
      });
      expect(await opened.reader.readProfilePageTag("person-1")).toEqual({ etag, pictureOrigin });
      expect(await opened.reader.readProfileFile("person-1", "card")).toEqual({
        etag,
        body: bytes(page.card),
      });
      const { resume } = documents.public;
      expect(await opened.reader.readProfileFile("person-1", "resume")).toEqual({
        etag: resume.etag,
        body: bytes(resume.body),
      });
      expect(await opened.reader.readProfilePage("everything-1")).toBeNull();
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("goes with the profile's being public, and with the user", async () => {
      await using opened = await openStore(engine);
      const isThere = async (slug: string) => {
        await nextTurn();
        const found = [
          await opened.reader.readProfilePage(slug),
          await opened.reader.readProfilePageTag(slug),
          await opened.reader.readProfileFile(slug, "card"),
          await opened.reader.readProfileFile(slug, "resume"),
        ].map((one) => one !== null);
        expect(new Set(found).size).toBe(1);
        return found[0];
      };
      await opened.save(writtenRecord(1), writtenRecord(2));
      await opened.save(withValue(writtenRecord(1), "profile.isPublic", false));
      expect([await isThere("person-1"), await isThere("person-2")]).toEqual([false, true]);
      expect(await opened.discrepancies()).toEqual([]);
      await opened.save(withValue(writtenRecord(1), "profile.slug", "renamed"));
      expect([await isThere("person-1"), await isThere("renamed")]).toEqual([false, true]);
      await opened.store.records.delete("person2@example.com");
      expect(await isThere("person-2")).toBe(false);
    });
  });

  describe(`${engine.name}: a slug that was given up`, () => {
    const renamed = (record: unknown, slug: string) => withValue(record, "linkTrees[0].slug", slug);

    /** The first person's record with the ids that were stored, so that a tree with another slug is the same tree. */
    const stored = async (opened: OpenedStore): Promise<unknown> =>
      JSON.parse(JSON.stringify(await opened.record()));

    const leads = async (opened: OpenedStore, kind: "t" | "p", slug: string) => {
      await nextTurn();
      return opened.reader.readMovedPage(kind, slug);
    };

    test("leads to the page that the tree has now, through any number of names", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      expect(await leads(opened, "t", "everything-1")).toBeNull();
      await opened.save(renamed(await stored(opened), "second"));
      await opened.save(renamed(await stored(opened), "third"));
      expect(await leads(opened, "t", "everything-1")).toBe("third");
      expect(await leads(opened, "t", "second")).toBe("third");
      expect(await leads(opened, "p", "second")).toBeNull();
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("leads to who gave it up last", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      await opened.save(renamed(await stored(opened), "mine"));
      opened.clock.advance(1000);
      const other = JSON.parse(JSON.stringify(await opened.record("person2@example.com")));
      await opened.save(renamed(other, "everything-1"));
      opened.clock.advance(1000);
      await opened.save(renamed(other, "theirs"));
      expect(await leads(opened, "t", "everything-1")).toBe("theirs");
      await opened.store.records.delete("person2@example.com");
      expect(await leads(opened, "t", "everything-1")).toBe("mine");
    });

    test("leads nowhere where the tree has no page any more, or is gone", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await opened.save(renamed(await stored(opened), "second"));
      await opened.save(withValue(await stored(opened), "linkTrees[0].hasPage", false));
      expect(await leads(opened, "t", "everything-1")).toBeNull();
      await opened.save({ ...writtenRecord(), linkTrees: [] });
      expect(await leads(opened, "t", "everything-1")).toBeNull();
    });

    test("of a profile leads to its page, while that is public", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await opened.save(withValue(writtenRecord(), "profile.slug", "ada"));
      expect(await leads(opened, "p", "person-1")).toBe("ada");
      expect(await opened.reader.readOnlyProfile()).toBe("ada");
      const hidden = withValue(writtenRecord(), "profile.slug", "ada");
      await opened.save(withValue(hidden, "profile.isPublic", false));
      expect(await leads(opened, "p", "person-1")).toBeNull();
      expect(await opened.reader.readOnlyProfile()).toBeNull();
    });
  });
}
