import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import type { Places, Span } from "./position.ts";
import { aliasesOf } from "./yaml-aliases.ts";
import { documentsWithValue } from "./yaml-documents.ts";

/**
 * A text that is YAML. The first step of a path leads to one of several documents, or to an item of the one list, where
 * there are several records.
 */
export class YamlPlaces implements Places {
  readonly #documents: readonly Document[];
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(text: string) {
    this.#documents = documentsWithValue([...parseAllDocuments(text)]);
    this.#targets = new Map(this.#documents.flatMap((document) => [...aliasesOf(document).targets]));
  }

  locate(path: readonly (string | number)[]): Span {
    const [first, ...rest] = path;
    const isOneOfSeveral = this.#documents.length > 1 && typeof first === "number";
    const [document, steps] = isOneOfSeveral ? [this.#documents[first], rest] : [this.#documents[0], path];
    let node = document?.contents as Node | null | undefined;
    let found: Span = { name: node?.range?.[0] ?? 0, value: node?.range?.[0] ?? 0 };
    for (const step of steps) {
      if (isAlias(node)) node = this.#targets.get(node);
      if (isMap(node)) {
        const pair = this.#pairsOf(node).get(String(step));
        if (!pair) break;
        const name = (pair.key as Node).range?.[0] ?? found.value;
        node = pair.value as Node | null;
        found = { name, value: node?.range?.[0] ?? name };
      } else if (isSeq(node)) {
        const item = node.items[Number(step)] as Node | undefined;
        if (!item) break;
        node = item;
        found = { name: node.range?.[0] ?? found.value, value: node.range?.[0] ?? found.value };
      } else break;
    }
    return found;
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    return this.#pairs.getOrInsertComputed(map, () => new Map(map.items.map((pair) => [nameOf(pair), pair])));
  }
}

function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
