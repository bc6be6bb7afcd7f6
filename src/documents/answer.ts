import type { View } from "../contract/access.ts";
import type { RouteName } from "../contract/routes.ts";
import { plainAnswer, type StoredAnswer } from "../packing/answer.ts";
import { TRAILER_BYTES } from "../packing/gzip.ts";
import type { UserRecord } from "../records/record.ts";
import { shownRecord } from "../records/visibility.ts";
import { compile, type Documents, type Slice } from "./compile.ts";
import { resumeText } from "./resume.ts";

/** The full document of the public view, put together from what is stored of it and what it shares. */
export function publicBody({ full, public: shown }: Pick<Documents, "full" | "public">): Uint8Array {
  const own = shown.full.body;
  const { start, size } = shown.shared;
  const ownEnd = own.length - TRAILER_BYTES;
  return Buffer.concat([
    own.subarray(0, ownEnd),
    full.body.subarray(start, start + size),
    own.subarray(ownEnd),
  ]);
}

/** A document with its tag, as it is stored: nothing where there is no such tree. */
interface TaggedAnswer extends StoredAnswer {
  readonly etag: string;
}

export function answerIn(
  documents: Documents,
  view: View,
  route: Exclude<RouteName, "resume">,
  slug: string | undefined,
): TaggedAnswer | undefined {
  const { full, links, slices } = view === "public" ? documents.public : documents;
  if (route === "links") return { ...links, length: null, checksum: null };
  const body = view === "public" ? publicBody(documents) : full.body;
  if (route === "full") return { etag: full.etag, body, length: null, checksum: null };
  const slice = route === "linktree" ? treeSlice(documents, view, slug) : slices[route];
  if (!slice) return undefined;
  const { etag, start, size, length, checksum } = slice;
  return { etag, body: body.subarray(start, start + size), length, checksum };
}

function treeSlice({ linkTrees }: Documents, view: View, slug: string | undefined): Slice | undefined {
  const tree = linkTrees.find((one) => one.slug === slug);
  const start = view === "public" ? tree?.publicStart : tree?.start;
  return tree && typeof start === "number" ? { ...tree, start } : undefined;
}

/** The text that a route answers with about a record. */
export function answerText(
  record: UserRecord,
  view: View,
  route: RouteName,
  slug: string | undefined,
): string | undefined {
  if (route === "resume") return resumeText(view === "public" ? shownRecord(record) : record);
  const answer = answerIn(compile(record).documents, view, route, slug);
  return answer && Buffer.from(plainAnswer(answer)).toString();
}
