import type { View } from "../contract/access.ts";
import type { RouteName } from "../contract/routes.ts";
import type { Documents } from "./compile.ts";

/** The text that a route answers with, out of what a record was compiled to. Nothing where there is no such tree. */
export function answerText(
  documents: Documents<string, unknown>,
  view: View,
  route: RouteName,
  slug: string | undefined,
): string | undefined {
  const { full, links, resume, slices } = view === "public" ? documents.public : documents;
  if (route === "full") return full.body;
  if (route === "links") return links.body;
  if (route === "resume") return resume.body;
  const slice = route === "linktree" ? treeSlice(documents, view, slug) : slices[route];
  return slice && Buffer.from(full.body).toString("utf8", slice.start, slice.start + slice.length);
}

function treeSlice({ linkTrees }: Documents<string, unknown>, view: View, slug: string | undefined) {
  const tree = linkTrees.find((one) => one.slug === slug);
  const start = view === "public" ? tree?.publicStart : tree?.start;
  return tree && typeof start === "number" ? { start, length: tree.length } : undefined;
}
