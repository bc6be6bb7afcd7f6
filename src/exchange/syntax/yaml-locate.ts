import type { Node } from "yaml";
import type { Span } from "./position.ts";

/**
 * Where the value at the end of a path stands in a text that is YAML, or the deepest of its holders that is there. The
 * first step leads to one of several documents, or to an item of the one list, where there are several records.
 */
export async function locateInYaml(text: string, path: readonly (string | number)[]): Promise<Span> {
  const { isAlias, isMap, isScalar, isSeq, parseAllDocuments } = await import("yaml");
  const documents = [...parseAllDocuments(text)].filter(({ contents }) => contents !== null);
  const isList = documents.length > 1 && typeof path[0] === "number";
  const [document = documents[0], steps] = isList
    ? [documents[path[0] as number], path.slice(1)]
    : [documents[0], path];
  let node: Node | null | undefined = document?.contents as Node | null;
  let found: Span = { name: node?.range?.[0] ?? 0, value: node?.range?.[0] ?? 0 };
  for (const step of steps) {
    if (document && isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
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
