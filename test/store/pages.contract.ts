import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../src/async/turn.ts";
import { renditionOf } from "../../src/documents/rendition.ts";
import { unpacked } from "../../src/packing/packed.ts";
import { without, withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { type OpenedStore, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

export function pageSentences(engine: Engine): void {
  const linkIdOf = async (opened: OpenedStore, index: number) =>
    (await opened.record()).linkTrees[0]?.links[index]?.id ?? "";

  describe(`${engine.name}: the page of a link tree`, () => {
    test("is what is made of the record, by the slug alone", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      for (const email of ["person1@example.com", "person2@example.com"]) {
        const record = await opened.record(email);
        expect(record.linkTrees).toHaveLength(2);
        for (const { id: treeId, slug } of record.linkTrees) {
          const page = renditionOf(record, { kind: "page", treeId });
          if (!page) throw new Error("no page");
          const { kind, body: html, ...rest } = page;
          expect(await opened.readPage(slug)).toEqual({ userNumber: expect.any(Number), ...rest, html });
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
      expect(new TextDecoder().decode(unpacked(after?.html ?? new Uint8Array()))).toContain("Another title");
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

    test("leads nowhere once it is hidden, or once the page is off", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const [hidden, shown] = [await linkIdOf(opened, 0), await linkIdOf(opened, 1)];
      await opened.save(withValue(await opened.record(), "linkTrees[0].links[0].isHidden", true));
      expect(await opened.readLink("everything-1", hidden)).toBeNull();
      expect(await opened.readLink("everything-1", shown)).not.toBeNull();
      await opened.save(withValue(await opened.record(), "linkTrees[0].hasPage", false));
      expect(await opened.readLink("everything-1", shown)).toBeNull();
    });

    test("may have an id that looks like a number or a path", async () => {
      await using opened = await openStore(engine);
      const ids = ["7", "a.b", "1:x~y-z"];
      const links = ids.map((id) => ({ id, label: id, url: `https://example.com/${id}` }));
      await opened.save(withValue(writtenRecord(), "linkTrees[0].links", links));
      for (const { id, url } of links)
        expect(await opened.readLink("everything-1", id)).toMatchObject({ url });
    });
  });

  describe(`${engine.name}: a link of a tree that has very many`, () => {
    const links = Array.from({ length: 150 }, (_, index) => ({
      id: `link-${index}`,
      label: `Link ${index}`,
      url: `https://l${index}.example/`,
    }));

    test("leads to its stored URL, and others lead nowhere", async () => {
      await using opened = await openStore(engine);
      await opened.save(withValue(writtenRecord(), "linkTrees[0].links", links));
      for (const { id, url } of links)
        expect(await opened.readLink("everything-1", id)).toMatchObject({ url });
      for (const id of ["", "link-", "link-150", "zzz", "__proto__"])
        expect(await opened.readLink("everything-1", id)).toBeNull();
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("leads nowhere once it is hidden, or once the page is off", async () => {
      await using opened = await openStore(engine);
      const written = withValue(writtenRecord(), "linkTrees[0].links", links);
      await opened.save(withValue(written, "linkTrees[0].links[7].isHidden", true));
      expect(await opened.readLink("everything-1", "link-7")).toBeNull();
      expect(await opened.readLink("everything-1", "link-8")).not.toBeNull();
      await opened.save(withValue(written, "linkTrees[0].hasPage", false));
      expect(await opened.readLink("everything-1", "link-8")).toBeNull();
    });
  });

  describe(`${engine.name}: the page of a profile`, () => {
    test("is what is made of the record, with its files, by the profile's slug", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const record = await opened.record();
      const made = (kind: "profile" | "card" | "public resume") => {
        const rendition = renditionOf(record, { kind, treeId: "" });
        if (!rendition) throw new Error(`no ${kind}`);
        return rendition;
      };
      const { kind, treeId, body: html, ...page } = made("profile");
      const { etag, pictureOrigin } = page;
      expect(await opened.reader.readProfilePage("person-1")).toMatchObject({ ...page, html });
      expect(await opened.reader.readProfilePageTag("person-1")).toMatchObject({ etag, pictureOrigin });
      for (const [file, kind] of [
        ["card", "card"],
        ["resume", "public resume"],
      ] as const) {
        const { etag, body } = made(kind);
        expect(await opened.reader.readProfileFile("person-1", file)).toEqual({ etag, body });
      }
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

    test("is forgotten where its owner has given up thousands since", async () => {
      await using opened = await openStore(engine);
      const named = (name: string) =>
        withValue(
          writtenRecord(),
          "linkTrees",
          Array.from({ length: 3500 }, (_, index) => ({
            id: `tree-${index}`,
            title: "Tree",
            description: null,
            slug: `${name}-${index}`,
            links: [],
          })),
        );
      for (const name of ["first", "second", "third", "fourth"]) {
        await opened.save(named(name));
        opened.clock.advance(1000);
      }
      expect(await leads(opened, "t", "first-999")).toBeNull();
      for (const slug of ["first-0", "second-999", "third-999"])
        expect(await leads(opened, "t", slug)).toStartWith("fourth-");
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
