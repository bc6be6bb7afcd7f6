import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useEditor } from "../editing/editor.ts";
import { begins, type Path } from "../editing/paths.ts";
import { useObserved } from "../observable.ts";

/** For the element of a field: it gets the focus when its field, or a part of it, is asked for. */
export function useWantedFocus<Element extends HTMLElement>(path: Path): RefObject<Element | null> {
  const editor = useEditor();
  const element = useRef<Element>(null);
  const isWanted = useObserved(editor.state, ({ wanted }) => wanted !== undefined && begins(wanted, path));
  useEffect(() => {
    if (!isWanted || !element.current) return;
    element.current.focus({ preventScroll: true });
    // As with the Tab key: whoever types replaces what is there.
    if (element.current instanceof HTMLInputElement) element.current.select();
    element.current.scrollIntoView({ block: "center" });
    editor.want(undefined);
  }, [isWanted, editor]);
  return element;
}

/** Ends what is being typed as leaving its field would, by which an address is completed and a word added. */
export function finishTyping(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus({ preventScroll: true });
}

/** The place in a list that something asked for is at, or below. */
export function useWantedIndex(list: Path): number | undefined {
  return useObserved(useEditor().state, ({ wanted }) => {
    const index = wanted && begins(wanted, list) ? wanted[list.length] : undefined;
    return typeof index === "number" ? index : undefined;
  });
}

/** What is asked for gets the focus soon after it is there, and a dialog that ends gives it back. */
const SETTLED_MS = 100;

/**
 * Keeps the focus near its place once what had it is gone: at the heading before that. It would fall to the page, where
 * a screen reader begins anew at the top.
 */
export function keepFocus(): void {
  let above: readonly Element[] = [];
  const look = () => {
    if (document.activeElement !== document.body || above[0]?.isConnected !== false) return;
    const left = above.find((element) => element.isConnected);
    const heading = left && headingOf(left);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  addEventListener("focusin", ({ target }) => {
    above = target instanceof Element ? [target, ...ancestorsOf(target)] : [];
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  new MutationObserver(() => {
    if (above[0]?.isConnected !== false) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLED_MS);
  }).observe(document.body, { childList: true, subtree: true });
}

function ancestorsOf({ parentElement: parent }: Element): Element[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** The last heading before an element, and where there is none, the first one in it. */
function headingOf(element: Element): HTMLElement | undefined {
  const around = element.closest("dialog, main") ?? document;
  const headings = [...around.querySelectorAll<HTMLElement>("h1, h2, h3")];
  const isBefore = (heading: HTMLElement) =>
    (element.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return headings.findLast(isBefore) ?? headings[0];
}
