import type { View } from "../../src/contract/access.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "../../src/contract/routes.ts";
import { answerIn } from "../../src/documents/answer.ts";
import { compile } from "../../src/documents/compile.ts";
import { renditionOf } from "../../src/documents/rendition.ts";
import { RESUME_KINDS } from "../../src/documents/rendition-kinds.ts";
import { plainAnswer, type StoredAnswer } from "../../src/packing/answer.ts";
import type { UserRecord } from "../../src/records/record.ts";

/** An answer as it is sent to those who take no compression. */
export interface Answer {
  readonly etag: string;
  readonly body: Uint8Array;
  readonly json: unknown;
}

export interface Answers {
  readonly byKind: Readonly<Record<DocumentKind, Answer>>;
  readonly bySlug: ReadonlyMap<string, Answer>;
}

/** Every answer about a user in one view, by what the record compiles to. */
export function answersOf(record: UserRecord, view: View = "full"): Answers {
  const { documents } = compile(record);
  const resume = renditionOf(record, { kind: RESUME_KINDS[view], treeId: "" });
  const byKind = Object.fromEntries(
    DOCUMENT_KINDS.map((kind) => [
      kind,
      parsed(
        kind === "resume"
          ? resume && { ...resume, length: null, checksum: null }
          : answerIn(documents, view, kind, undefined),
      ),
    ]),
  ) as Record<DocumentKind, Answer>;
  const bySlug = documents.linkTrees.flatMap(({ slug }): [string, Answer][] => {
    const answer = answerIn(documents, view, "linktree", slug);
    return answer ? [[slug, parsed(answer)]] : [];
  });
  return { byKind, bySlug: new Map(bySlug) };
}

function parsed(answer: (StoredAnswer & { readonly etag: string }) | undefined): Answer {
  if (!answer) throw new Error("there is no such answer");
  const body = plainAnswer(answer);
  return { etag: answer.etag, body, json: JSON.parse(textOf(body)) };
}

/** Fails on bytes that are no UTF-8, and leaves a byte order mark where it is. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
