import { describe, expect, test } from "bun:test";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { answersOf, textOf } from "../support/answers.ts";
import { seconds } from "../support/clock.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { answerOf, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

const SECOND_EMAIL = writtenRecord(2).email;

export function readingSentences(engine: Engine): void {
  describe(`${engine.name}: reading with a key`, () => {
    test("that nobody has finds nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const stranger = hashKey(mintKey());
      for (const kind of DOCUMENT_KINDS) expect(await opened.read(stranger, kind)).toBeNull();
      expect(await opened.readTree(stranger, "everything-1")).toBeNull();
    });

    test("finds every document of its owner as the record compiles to it", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      for (const email of ["person1@example.com", SECOND_EMAIL]) {
        const { hash } = await opened.key({ email });
        const { byKind, bySlug } = answersOf(await opened.record(email));
        for (const kind of DOCUMENT_KINDS) {
          const { etag, body } = byKind[kind];
          expect(answerOf(await opened.read(hash, kind))).toEqual({ etag, text: textOf(body) });
        }
        for (const [slug, { etag, body }] of bySlug)
          expect(answerOf(await opened.readTree(hash, slug))).toEqual({ etag, text: textOf(body) });
      }
    });

    test("of the public view finds every document that everybody may see, and no other", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { hash } = await opened.key({ view: "public" });
      const { byKind, bySlug } = answersOf(await opened.record(), "public");
      for (const kind of DOCUMENT_KINDS) {
        const { etag, body } = byKind[kind];
        expect(answerOf(await opened.read(hash, kind, "public"))).toEqual({ etag, text: textOf(body) });
      }
      for (const [slug, { etag, body }] of bySlug)
        expect(answerOf(await opened.readTree(hash, slug, "public"))).toEqual({ etag, text: textOf(body) });
      expect(await opened.readTree(hash, "everything-2", "public")).toMatchObject({ etag: null, body: null });
    });

    test("that is asked about as one of the other view finds nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const [full, shown] = [await opened.key(), await opened.key({ view: "public" })];
      for (const kind of DOCUMENT_KINDS) {
        expect(await opened.read(full.hash, kind, "public")).toBeNull();
        expect(await opened.read(shown.hash, kind, "full")).toBeNull();
      }
      expect(await opened.readTree(full.hash, "everything-1", "public")).toBeNull();
      expect(await opened.readTree(shown.hash, "everything-1", "full")).toBeNull();
    });

    test("of the public view finds what was saved last, and a tree that is gone no more", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key({ view: "public" });
      const before = await opened.read(hash, "full", "public");
      opened.clock.advance(seconds(1));
      await opened.save(withValue(writtenRecord(), "linkTrees", []));
      const after = await opened.read(hash, "full", "public");
      expect(after?.etag).not.toBe(before?.etag as string);
      expect(answerOf(await opened.read(hash, "linktrees", "public"))?.text).toBe("[]");
      expect(await opened.readTree(hash, "everything-1", "public")).toMatchObject({ body: null });
    });

    test("finds the key's own state and its owner along with the document", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const expiresAt = opened.clock.now() + seconds(60);
      const { hash, info } = await opened.key({ expiresAt });
      const found = {
        keyId: info.id,
        userId: (await opened.record()).id,
        userNumber: expect.any(Number),
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
      };
      expect(await opened.read(hash, "links")).toMatchObject(found);
      expect(await opened.readTree(hash, "everything-1")).toMatchObject(found);
    });

    test("names the same number for all keys of a user, and another for another user", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const keys = [await opened.key(), await opened.key(), await opened.key({ email: SECOND_EMAIL })];
      const [one, same, other] = await Promise.all(keys.map(({ hash }) => opened.read(hash, "jobs")));
      expect(same?.userNumber).toBe(one?.userNumber ?? 0);
      expect(other?.userNumber).not.toBe(one?.userNumber ?? 0);
    });

    test.each([
      "no-such-tree",
      "",
      "Everything-1",
      "everything-1 ",
      "EVERYTHING-1",
      "person-1",
      "%",
      "_",
      "\0",
    ])("finds the key but no tree under %p", async (slug) => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key();
      expect(await opened.readTree(hash, slug)).toMatchObject({ keyId: info.id, etag: null, body: null });
    });

    test("finds no tree of another user, just as if there were none", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { hash } = await opened.key();
      expect(await opened.readTree(hash, "everything-2")).toEqual(
        await opened.readTree(hash, "no-such-tree"),
      );
    });

    test("gives bytes that no later write changes", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      const read = await opened.read(hash, "full");
      const before = read?.body?.slice();
      await opened.save(withValue(writtenRecord(), "profile.name.value", "Else"));
      await opened.read(hash, "full");
      expect(read?.body).toEqual(before ?? null);
    });
  });

  describe(`${engine.name}: the next read`, () => {
    test("sees a record that was saved", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      const before = await opened.read(hash, "full");
      await opened.save(withValue(writtenRecord(), "profile.name.value", "Else"));
      const after = await opened.read(hash, "full");
      expect(after?.etag).not.toBe(before?.etag ?? null);
      expect(answerOf(after)?.text).toContain('"value":"Else"');
    });

    test("sees a key that was made", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await opened.read(hashKey(mintKey()), "full");
      const { hash } = await opened.key();
      expect(await opened.read(hash, "full")).not.toBeNull();
    });

    test("sees that a key was revoked", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key();
      expect(await opened.read(hash, "full")).toMatchObject({ revokedAt: null });
      await opened.store.keys.revoke(info.id);
      expect(await opened.read(hash, "full")).toMatchObject({ revokedAt: opened.clock.now() });
      expect(await opened.readTree(hash, "everything-1")).toMatchObject({ revokedAt: opened.clock.now() });
    });

    test("sees that a user was deleted", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      expect(await opened.read(hash, "full")).not.toBeNull();
      await opened.store.records.delete("person1@example.com");
      expect(await opened.read(hash, "full")).toBeNull();
    });

    test("sees a tree under its new slug and no longer under the old one", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      const before = await opened.readTree(hash, "everything-1");
      await opened.save(withValue(await opened.record(), "linkTrees[0].slug", "renamed"));
      expect(before?.body).not.toBeNull();
      expect((await opened.readTree(hash, "everything-1"))?.body).toBeNull();
      expect((await opened.readTree(hash, "renamed"))?.body).not.toBeNull();
    });

    test("sees what another connection wrote", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key();
      await opened.read(hash, "full");
      const other = await opened.database.openStore(opened.clock.now);
      await other.keys.revoke(info.id);
      await other.close();
      expect(await opened.read(hash, "full")).toMatchObject({ revokedAt: opened.clock.now() });
    });
  });

  describe(`${engine.name}: a reader`, () => {
    test("opens a store that was written and closed before", async () => {
      await using database = await engine.create();
      const store = await database.openStore();
      await store.close();
      const reader = await database.openReader();
      expect(await reader.readDocument(hashKey(mintKey()), "full", "full")).toBeNull();
      await reader.close();
    });
  });
}
