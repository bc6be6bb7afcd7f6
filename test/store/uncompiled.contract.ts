import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nextTurn } from "../../src/async/turn.ts";
import { VIEWS } from "../../src/contract/access.ts";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import { compileBatch } from "../../src/store/save/batch.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { rebuild } from "../support/databases.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { answerOf, type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { recordStatement, tamperWith } from "../support/tampering.ts";
import { everythingAt } from "../support/version-one.ts";

/** Leaves of all users what an upgrade finds: records as texts, and the slugs and ids of trees. */
async function uncompile({ database }: OpenedStore): Promise<void> {
  const source = await database.openSource();
  const users = await source.asOfOneMoment((contents) => contents.usersAfter(undefined));
  await source.close();
  await tamperWith(
    { database: database.location },
    ...users.map(({ number, record }) => recordStatement(number, record)),
    "UPDATE users SET updated_at = NULL",
    "DELETE FROM answers",
    "DELETE FROM public_answers",
    "DELETE FROM link_targets",
    "DELETE FROM renditions",
    `UPDATE trees SET etag = NULL, start = NULL, public_start = NULL, size = NULL, length = NULL, checksum = NULL`,
    "UPDATE compilation SET compiler = 0, through = 0",
  );
}

/** All that readers are answered about a user: documents, trees, pages, files and where links lead. */
async function readAll(opened: OpenedStore, email: string, hashes: Readonly<Record<string, Uint8Array>>) {
  const { reader } = opened;
  const { profile, linkTrees } = await opened.record(email);
  const slugs = [...linkTrees.map(({ slug }) => slug), "nowhere"];
  const read: Record<string, unknown> = {};
  for (const view of VIEWS) {
    const hash = hashes[view] ?? new Uint8Array();
    for (const kind of DOCUMENT_KINDS)
      read[`${view} ${kind}`] = answerOf(await opened.read(hash, kind, view)) ?? null;
    for (const slug of slugs) {
      const found = await opened.readTree(hash, slug, view);
      expect(found).not.toBeNull();
      read[`${view} ${slug}`] = answerOf(found) ?? null;
    }
  }
  for (const slug of slugs) {
    read[`page ${slug}`] = await opened.readPage(slug);
    read[`tag ${slug}`] = await reader.readPageTag(slug);
    read[`preview ${slug}`] = await opened.readPreview("t", slug);
  }
  for (const { slug, links } of linkTrees)
    for (const { id } of [...links, { id: "nowhere" }])
      read[`link ${slug} ${id}`] = await opened.readLink(slug, id);
  read.profile = await reader.readProfilePage(profile.slug);
  read.profileTag = await reader.readProfilePageTag(profile.slug);
  read.profilePreview = await opened.readPreview("p", profile.slug);
  for (const file of ["card", "resume"] as const)
    read[file] = await reader.readProfileFile(profile.slug, file);
  return read;
}

async function keysOf(opened: OpenedStore, email: string): Promise<Record<string, Uint8Array>> {
  return {
    full: (await opened.key({ email })).hash,
    public: (await opened.key({ email, view: "public" })).hash,
  };
}

/** A record with all that makes a difference to what is shown, and a tree of very many links. */
function manifold(number: number, isPublic: boolean): unknown {
  const links = Array.from({ length: 100 }, (_, index) => ({
    label: `Link ${index}`,
    url: `https://l${index}.example/`,
    ...(index === 7 && { isHidden: true }),
  }));
  const changes: [string, unknown][] = [
    ["profile.isPublic", isPublic],
    ["jobs[0].isPublic", false],
    ["linkTrees[0].links[0].isHidden", true],
    ["linkTrees[1].hasPage", false],
    ["linkTrees[2]", { title: "Many", description: null, slug: `many-${number}`, links }],
  ];
  return changes.reduce<unknown>(
    (record, [place, value]) => withValue(record, place, value),
    writtenRecord(number),
  );
}

export function uncompiledSentences(engine: Engine): void {
  describe(`${engine.name}: a user whose documents are still to be compiled`, () => {
    test.each([true, false])(
      "is answered as after that, where it is %p that the profile is public",
      async (isPublic) => {
        await using opened = await openStore(engine);
        await opened.save(manifold(1, isPublic), writtenRecord(2));
        const email = "person1@example.com";
        const hashes = await keysOf(opened, email);
        const saved = await readAll(opened, email, hashes);
        await uncompile(opened);
        expect(await readAll(opened, email, hashes)).toEqual(saved);
        expect(await rebuild(opened.store)).toBe(2);
        expect(await readAll(opened, email, hashes)).toEqual(saved);
        expect(await opened.discrepancies()).toEqual([]);
        expect(saved).toMatchObject({ "page empty-1": null, "public empty-1": null, "page nowhere": null });
        expect(saved.card === null).toBe(!isPublic);
      },
    );

    test("is answered as after that, whatever the record says", async () => {
      await using opened = await openStore(engine);
      await fc.assert(
        fc.asyncProperty(anyRecord, async (written) => {
          for await (const { email } of opened.store.records.summaries())
            await opened.store.records.delete(email);
          const input = checkedRecord(written);
          await opened.store.records.save([input]);
          const hashes = await keysOf(opened, input.email);
          const saved = await readAll(opened, input.email, hashes);
          await uncompile(opened);
          expect(await readAll(opened, input.email, hashes)).toEqual(saved);
        }),
        { numRuns: 8 },
      );
    });

    test("has none compiled for a key that was revoked", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const { hash, info } = await opened.key();
      await opened.store.keys.revoke(info.id);
      await uncompile(opened);
      for (const found of [await opened.read(hash, "full"), await opened.readTree(hash, "everything-1")])
        expect(found).toMatchObject({ keyId: info.id, etag: null, body: null });
    });

    test("has slugs that were given up and lead where they led", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const renamed = withValue(await opened.record(), "linkTrees[0].slug", "elsewhere");
      const off = withValue(withValue(renamed, "linkTrees[1].slug", "off"), "linkTrees[1].hasPage", false);
      await opened.save(withValue(off, "profile.slug", "ada"));
      const other = withValue(await opened.record("person2@example.com"), "profile.slug", "grace");
      await opened.save(withValue(other, "profile.isPublic", false));
      const leads = async () => {
        await nextTurn();
        const { reader } = opened;
        return [
          await reader.readMovedPage("t", "everything-1"),
          await reader.readMovedPage("t", "empty-1"),
          await reader.readMovedPage("p", "person-1"),
          await reader.readMovedPage("p", "person-2"),
        ];
      };
      expect(await leads()).toEqual(["elsewhere", null, "ada", null]);
      await uncompile(opened);
      expect(await leads()).toEqual(["elsewhere", null, "ada", null]);
    });

    test("has nothing kept that is made of the record, since nothing says which version that is", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await uncompile(opened);
      expect(await opened.readPage("everything-1")).not.toBeNull();
      expect(opened.takeMade()).toEqual([]);
    });

    test.each(["save", "commit"] as const)("can be saved by a %s, and is compiled with it", async (way) => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await opened.record();
      await uncompile(opened);
      const input = checkedRecord(withValue(writtenRecord(), "profile.name.value", "Another Name"));
      const { records } = opened.store;
      const saved =
        way === "save"
          ? await records.save([input])
          : await records.commit(compileBatch(await records.plan([input])));
      expect(saved).toEqual([{ change: "updated", email: "person1@example.com" }]);
      expect((await opened.record()).linkTrees).toEqual(before.linkTrees);
      expect(await opened.discrepancies()).toEqual([]);
      const [user] = (await everythingAt(opened.database.location)).users as { record: string }[];
      expect(user?.record).toBe("");
    });

    test("is not saved by a plan that builds on what another save has replaced since", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      await uncompile(opened);
      const { records } = opened.store;
      const planned = await records.plan([
        checkedRecord(withValue(writtenRecord(), "profile.name.value", "Another Name")),
      ]);
      await opened.save(withValue(writtenRecord(), "profile.name.value", "The Last Name"));
      expect(await records.commit(compileBatch(planned))).toBeNull();
    });

    test("has the time of the last change in the list", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await opened.store.records.summary("person1@example.com");
      await uncompile(opened);
      expect(await opened.store.records.summary("person1@example.com")).toEqual(before);
      await rebuild(opened.store);
      expect(await opened.store.records.summary("person1@example.com")).toEqual(before);
    });
  });
}
