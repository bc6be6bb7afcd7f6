/**
 * Keeps words up to date in a page that the browser translates. Chrome takes every text out of it and puts a `font` with
 * the translation in its place, so that a text that changes would change where nobody sees it. It goes back to its place
 * then, and is translated anew.
 */
export function followTranslations(): void {
  const places = new WeakMap<Node, Element>();
  const changes = new MutationObserver((records) => {
    for (const { target } of records) places.get(target)?.replaceWith(target);
  });
  const replacements = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      const place = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
      for (const text of removedNodes) {
        if (!place || text.isConnected || !(text instanceof Text)) continue;
        places.set(text, place);
        changes.observe(text, { characterData: true });
      }
    }
  });
  replacements.observe(document.body, { childList: true, subtree: true });
}

function isTranslation(node: Node | null): node is Element {
  return node instanceof Element && node.localName === "font";
}
