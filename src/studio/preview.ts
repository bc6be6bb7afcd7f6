import { ownerOf } from "../documents/owner.ts";
import { pageText } from "../documents/page.ts";
import { FONT_FACES } from "../html/fonts.ts";
import { pageStart } from "../html/frame.ts";
import { STYLE, styleHash } from "../html/style.ts";
import { type Problem, parsePlace } from "../records/problems.ts";
import { reconcile } from "../records/reconcile.ts";
import { checkRecord } from "../records/schema.ts";
import type { Preview, PreviewRequest } from "./contract.ts";
import { problemsFor } from "./problems.ts";

type Scheme = PreviewRequest["scheme"];

/**
 * The style of pages as it is in one scheme, whatever the reader's own is. It does without our fonts: what stands in a
 * frame of no origin may not load them.
 */
function styleIn(scheme: Scheme): string {
  return STYLE.replace(FONT_FACES, "")
    .replace("color-scheme:light dark", `color-scheme:${scheme}`)
    .replaceAll("@media(prefers-color-scheme:dark)", scheme === "dark" ? "@media all" : "@media not all");
}

const STYLES = { light: styleIn("light"), dark: styleIn("dark") } as const;

/** What the studio's own policy must allow, since a frame within a page is under that of the page. */
export const PREVIEW_STYLE_HASHES = Object.values(STYLES).map((style) => `'${styleHash(style)}'`);

/** Links of a preview lead nowhere: the frame may not open what they would. */
const INERT = '<base target="_blank">';

/**
 * The page of one tree as its visitors would see it, compiled as a save would. While somebody types, what is not yet
 * right is left out, so that the rest can be seen.
 */
export function previewOf({ record, tree, scheme }: PreviewRequest, now: number): Preview {
  const draft = alone(record, tree);
  const first = checkRecord(draft);
  const checked = "input" in first ? first : checkRecord(mended(draft, placesOf(first.problems)));
  if ("problems" in checked) return { html: null, problems: problemsFor(checked.problems, "owner") };
  const { linkTrees, profile } = reconcile(checked.input, undefined, now).record;
  const [page] = linkTrees;
  if (!page) return { html: null, problems: [{ path: ["linkTrees"], message: "has no such link tree" }] };
  const { opening, text } = pageText(page, ownerOf(profile), { isPreview: true });
  return { html: opening + pageStart(STYLES[scheme]) + INERT + text, problems: [] };
}

function placesOf(problems: readonly Problem[]): (string | number)[][] {
  return problems.map(({ place }) => parsePlace(place));
}

interface Draft {
  readonly profile: unknown;
  readonly linkTrees: readonly unknown[];
}

const NOBODY = { email: "preview@example.com" };

/** A record of which only the profile and one tree are left: the page shows nothing else. */
function alone(record: unknown, tree: number): Draft {
  const { profile, linkTrees } = (record ?? {}) as { profile?: unknown; linkTrees?: unknown };
  const trees = Array.isArray(linkTrees) ? linkTrees.slice(tree, tree + 1) : [];
  return { ...NOBODY, profile, linkTrees: trees };
}

/** What stands in for a wrong value of a profile. */
const UNSET: Readonly<Record<string, unknown>> = { slug: "preview", isPublic: false };

/** The draft without its wrong values: a link goes as a whole, a text is taken as empty, a value as unset. */
function mended(draft: Draft, places: readonly (readonly (string | number)[])[]): Draft {
  const profile = { ...(draft.profile as Record<string, unknown>) };
  const tree = { ...(draft.linkTrees[0] as Record<string, unknown>) };
  const wrongLinks = new Set<unknown>();
  for (const [part, at = "", field = "", index] of places) {
    if (part === "profile" && at === "language") delete profile[at];
    else if (part === "profile") profile[at] = UNSET[at] ?? { isPublic: false, value: null };
    else if (field === "look" || field === "hasPage") delete tree[field];
    else if (field !== "links") tree[field] = field === "slug" ? "preview" : "";
    else wrongLinks.add(index);
  }
  const links = Array.isArray(tree.links) ? tree.links.filter((_, index) => !wrongLinks.has(index)) : [];
  return { ...draft, profile, linkTrees: draft.linkTrees.map(() => ({ ...tree, links })) };
}
