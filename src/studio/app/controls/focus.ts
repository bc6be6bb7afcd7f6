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
