import { unpacked } from "../packing/packed.ts";
import type { Job, LinkTree, UserRecord } from "../records/record.ts";
import { isShown } from "../records/visibility.ts";
import { differences, type StoredDocuments } from "./compare.ts";
import { compile, type ViewDocuments } from "./compile.ts";
import { pageTagOf } from "./etag.ts";
import type { Page } from "./page.ts";
import type { ProfilePage } from "./profile-page.ts";

type FullDocument = Omit<UserRecord, "id" | "jobs"> & { readonly jobs: readonly Omit<Job, "id">[] };

/**
 * Whether stored documents are what was compiled once. The full document is a record but for the ids of its jobs and
 * what is for pages alone; if it compiles to these very documents, with their tags, nothing of them has changed since.
 * The text of a page is held to its own tag. Where documents and record differ, that tells on which side the fault is.
 */
export function areIntact(stored: StoredDocuments): boolean {
  if (!stored.full || !stored.public) return false;
  try {
    const full = parsed(stored.full);
    const record = {
      ...full,
      id: "",
      jobs: withIds(full, parsed(stored.public)),
      linkTrees: withPages(full, stored),
    };
    const { documents } = compile(record);
    const pages = documents.pages.map((page) => withStoredText(page, stored));
    const profilePage = withStoredProfile(documents.profilePage, stored.profilePage);
    return differences(stored, { ...documents, pages, profilePage }).length === 0;
  } catch {
    return false;
  }
}

function parsed({ full }: ViewDocuments<Uint8Array>): FullDocument {
  return JSON.parse(Buffer.from(full.body).toString()) as FullDocument;
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

/** A page with the text that is stored for it, where that has the tag that it should. */
function withStoredText(page: Page, stored: StoredDocuments): Page {
  const found = stored.pages.find(({ slug }) => slug === page.slug);
  if (!found || pageTagOf(found.opening, textOf(found.html), found.scene) !== found.etag) return page;
  const { etag, opening, scene, html } = found;
  return { ...page, etag, opening, scene, html };
}

/** The same of the page of the profile. */
function withStoredProfile(
  page: ProfilePage | undefined,
  found: ProfilePage<Uint8Array> | undefined,
): ProfilePage | undefined {
  if (!page || !found) return page;
  const { etag, opening, scene, html, card } = found;
  if (pageTagOf(opening, textOf(html), textOf(card), scene) !== etag) return page;
  return { ...page, etag, opening, scene, html, card };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(unpacked(bytes)).toString();
}
