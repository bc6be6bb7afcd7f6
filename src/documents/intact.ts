import { plainAnswer } from "../packing/answer.ts";
import type { Job, LinkTree, UserRecord } from "../records/record.ts";
import { isShown } from "../records/visibility.ts";
import { publicBody } from "./answer.ts";
import { answerDifferences, renditionText, type StoredDocuments } from "./compare.ts";
import { compile } from "./compile.ts";
import { etagOf } from "./etag.ts";
import type { Rendition } from "./rendition.ts";

type FullDocument = Omit<UserRecord, "id" | "jobs"> & { readonly jobs: readonly Omit<Job, "id">[] };

/**
 * Whether stored documents are what was compiled once. The full document is a record but for the ids of its jobs and
 * what is for pages alone; if it compiles to these very documents, with their tags, nothing of them has changed since.
 * What was made when it was first asked for is held to its own tag. Where documents and record differ, that tells on
 * which side the fault is.
 */
export function areIntact(stored: StoredDocuments): boolean {
  const { full: fullView, public: shown } = stored;
  if (!fullView || !shown) return false;
  try {
    const full = parsed(fullView.full.body);
    const record = {
      ...full,
      id: "",
      jobs: withIds(full, parsed(publicBody({ full: fullView.full, public: shown }))),
      linkTrees: withPages(full, stored),
    };
    const { documents } = compile(record);
    return answerDifferences(stored, documents).length === 0 && stored.renditions.every(hasItsTag);
  } catch {
    return false;
  }
}

function parsed(body: Uint8Array): FullDocument {
  const text = plainAnswer({ body, length: null, checksum: null });
  return JSON.parse(Buffer.from(text).toString()) as FullDocument;
}

/**
 * Jobs with ids that have the effect of those they had: a project of the public view names its job only where that is
 * shown, so as many of the shown jobs get these ids. Which of them gets which makes no difference to any document.
 */
function withIds({ jobs, profile }: FullDocument, { projects }: Pick<FullDocument, "projects">): Job[] {
  const shownIds = new Set(projects.flatMap(({ jobId }) => jobId ?? [])).values();
  return jobs.map((job) => {
    const id = isShown(job, profile) ? shownIds.next().value : undefined;
    return { id: id ?? "", ...job };
  });
}

/** Trees whose pages are off: the public view does not have them. */
function withPages({ linkTrees }: FullDocument, stored: StoredDocuments): LinkTree[] {
  const off = new Set(stored.linkTrees.filter((tree) => tree.publicStart === null).map(({ slug }) => slug));
  return linkTrees.map((tree) => (off.has(tree.slug) ? { ...tree, hasPage: false } : tree));
}

function hasItsTag({ kind, etag, opening, scene, body }: Rendition): boolean {
  const text = renditionText(body);
  const isPage = kind === "page" || kind === "profile";
  return etag === (isPage ? etagOf(opening, text, scene) : etagOf(text));
}
