import { expect, test } from "bun:test";
import { VIEWS } from "../../src/contract/access.ts";
import { renditionText } from "../../src/documents/compare.ts";
import { compile } from "../../src/documents/compile.ts";
import { renditionOf } from "../../src/documents/rendition.ts";
import type { RenditionName } from "../../src/documents/rendition-kinds.ts";
import { COMPILER_VERSION, RENDITION_VERSION } from "../../src/documents/version.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { answersOf, textOf } from "../support/answers.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** What each version makes of the same records, in short. A change of it without a new version fails here. */
const COMPILED: Readonly<Record<number, string>> = { 2: "16a698be4c80f8b9" };
const RENDERED: Readonly<Record<number, string>> = { 1: "8e666046f77ec4af", 2: "3b447c22481cac91" };

/** A record of every part, with ids that stay, and one whose page is long. */
function records(): UserRecord[] {
  const links = Array.from({ length: 200 }, (_, index) => ({
    id: `link-${index}`,
    label: `Link ${index}`,
    url: `https://place-${index}.example/`,
  }));
  return [writtenRecord(1), withValue(writtenRecord(2), "linkTrees[0].links", links)].map(
    (written, index) => {
      const { record } = reconcile(
        checkedRecord({ ...(written as object), id: `user-${index}` }),
        undefined,
        0,
      );
      return {
        ...record,
        linkTrees: record.linkTrees.map((tree, at) => ({
          ...tree,
          id: `tree-${index}-${at}`,
          links: tree.links.map((link, position) => ({ ...link, id: `link-${position}` })),
        })),
      };
    },
  );
}

/** By the texts: another version of the library that compresses them may do so in another way. */
function digestOf(values: readonly unknown[]): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}

function compiledFrom(record: UserRecord): unknown {
  const { documents } = compile(record);
  const answers = VIEWS.map((view) => {
    const { byKind, bySlug } = answersOf(record, view);
    const { resume, ...compiled } = byKind;
    return [...Object.entries(compiled), ...bySlug].map(([name, { etag, body }]) => [
      name,
      etag,
      textOf(body),
    ]);
  });
  const { hasProfilePage } = documents.public;
  return { answers, hasProfilePage, targetChunks: documents.targetChunks };
}

function renditionsOf(record: UserRecord): unknown[] {
  const files = ["profile", "card", "resume", "public resume"] as const;
  const names: RenditionName[] = [
    ...files.map((kind) => ({ kind, treeId: "" }) as const),
    ...record.linkTrees.map(({ id }) => ({ kind: "page", treeId: id }) as const),
  ];
  return names.map((name) => {
    const rendition = renditionOf(record, name);
    if (!rendition) throw new Error(`no ${name.kind}`);
    const { etag, body, ...rest } = rendition;
    return { ...rest, text: textOf(renditionText(body)) };
  });
}

test("the version of the compiler is raised with every change of what it makes", () => {
  expect(digestOf(records().map(compiledFrom))).toBe(COMPILED[COMPILER_VERSION] ?? "");
});

test("the version of what is made when it is first asked for is raised with every change of that", () => {
  expect(digestOf(records().flatMap(renditionsOf))).toBe(RENDERED[RENDITION_VERSION] ?? "");
});
