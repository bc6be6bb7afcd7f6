import { describe, expect, test } from "bun:test";
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
        for (const { slug, treeId, etag, pictureOrigin, html } of compile(await opened.record(email))
          .documents.pages) {
          expect(await opened.readPage(slug)).toEqual({
            userNumber: expect.any(Number),
            treeId,
            etag,
            pictureOrigin,
            html: new TextEncoder().encode(html),
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
      await opened.store.deleteUser("person1@example.com");
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
}
