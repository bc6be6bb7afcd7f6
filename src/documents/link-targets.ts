import type { LinkTree } from "../records/record.ts";
import { shownLinks } from "../records/visibility.ts";

/** Where some links of a tree lead, in the order of their ids: so that one of very many is found without reading all. */
export interface TargetChunk {
  readonly treeId: string;
  readonly firstId: string;
  /** A JSON object that leads from each link's id to its URL. */
  readonly targets: string;
}

/** The most links that are read for one click. */
const CHUNK_LINKS = 64;

/** The links of trees that have very many. Where the others lead, their own documents tell. */
export function targetChunksOf(trees: readonly LinkTree[]): TargetChunk[] {
  return trees.flatMap((tree) => {
    const links = shownLinks(tree);
    if (links.length <= CHUNK_LINKS) return [];
    const inOrder = links.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    return Array.from({ length: Math.ceil(links.length / CHUNK_LINKS) }, (_, index) => {
      const some = inOrder.slice(index * CHUNK_LINKS, (index + 1) * CHUNK_LINKS);
      const targets = Object.fromEntries(some.map(({ id, url }) => [id, url]));
      return { treeId: tree.id, firstId: some[0]?.id ?? "", targets: JSON.stringify(targets) };
    });
  });
}

/** Where a link leads, by the document of a tree that has few. */
export function targetIn(treeText: string, linkId: string): string | undefined {
  const { links } = JSON.parse(treeText) as Pick<LinkTree, "links">;
  return links.find(({ id }) => id === linkId)?.url;
}
