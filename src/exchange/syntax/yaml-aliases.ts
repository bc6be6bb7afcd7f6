import { type Alias, type Document, isAlias, isCollection, isPair, isScalar, type Node } from "yaml";

/** The most aliases of a document, counted as if each were written out: a few lines can stand for billions. */
export const MAX_ALIASES = 500;

interface Aliases {
  readonly targets: ReadonlyMap<Alias, Node>;
  /** The first that stands for nothing before it. */
  readonly unknown: Alias | undefined;
  /** The first that is too many. */
  readonly excess: Alias | undefined;
}

/** What the aliases of a document stand for. The library goes through the whole document for each. */
export function aliasesOf(document: Document): Aliases {
  const targets = new Map<Alias, Node>();
  const anchored = new Map<string, { readonly node: Node; readonly aliases: number }>();
  let unknown: Alias | undefined;
  let excess: Alias | undefined;
  let count = 0;

  function read(node: unknown): void {
    if (isAlias(node)) {
      const target = anchored.get(node.source);
      if (!target) {
        unknown ??= node;
        return;
      }
      targets.set(node, target.node);
      count += 1 + target.aliases;
      if (count > MAX_ALIASES) excess ??= node;
      return;
    }
    const before = count;
    if (isPair(node)) {
      read(node.key);
      read(node.value);
    } else if (isCollection(node)) for (const item of node.items) read(item);
    if ((isScalar(node) || isCollection(node)) && node.anchor)
      anchored.set(node.anchor, { node, aliases: count - before });
  }

  read(document.contents);
  return { targets, unknown, excess };
}
