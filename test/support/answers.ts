import type { View } from "../../src/contract/access.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "../../src/contract/routes.ts";
import { compile, type Document, type Slice } from "../../src/documents/compile.ts";
import type { UserRecord } from "../../src/records/record.ts";

export interface Answer extends Document<Uint8Array> {
  readonly json: unknown;
}

export interface Answers {
  readonly byKind: Readonly<Record<DocumentKind, Answer>>;
  readonly bySlug: ReadonlyMap<string, Answer>;
}

/** Every answer about a user in one view, cut from what the record compiles to. */
export function answersOf(record: UserRecord, view: View = "full"): Answers {
  const { documents } = compile(record);
  const { full, links, resume, slices } = view === "full" ? documents : documents.public;
  const linkTrees = documents.linkTrees.flatMap((tree) => {
    const start = view === "full" ? tree.start : tree.publicStart;
    return start === null ? [] : { ...tree, start };
  });
  const whole: Partial<Record<DocumentKind, Document<Uint8Array>>> = {
    full: encoded(full),
    links: encoded(links),
    resume: encoded(resume),
  };
  const part = ({ etag, start, length }: Slice) => ({
    etag,
    body: encoded(full).body.subarray(start, start + length),
  });
  const byKind = Object.fromEntries(
    DOCUMENT_KINDS.map((kind) => {
      const document = whole[kind] ?? part((slices as Record<string, Slice>)[kind] as Slice);
      return [kind, parsed(document)];
    }),
  ) as Record<DocumentKind, Answer>;
  return { byKind, bySlug: new Map(linkTrees.map((tree) => [tree.slug, parsed(part(tree))])) };
}

function encoded({ etag, body }: Document): Document<Uint8Array> {
  return { etag, body: new TextEncoder().encode(body) };
}

function parsed({ etag, body }: Document<Uint8Array>): Answer {
  return { etag, body, json: JSON.parse(textOf(body)) };
}

/** Fails on bytes that are no UTF-8, and leaves a byte order mark where it is. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
