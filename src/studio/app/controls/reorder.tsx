import { useEditor } from "../editing/editor.ts";
import type { Path } from "../editing/paths.ts";
import { announce } from "./announcer.tsx";
import { useWantedFocus } from "./focus.ts";
import { Grip } from "./icon.tsx";

/** The last step of the path by which the handle of an entry can be asked for. */
const HANDLE = "handle";

interface Props {
  readonly list: Path;
  readonly index: number;
  readonly count: number;
  /** What the entry is called. */
  readonly name: string;
}

/** Takes an entry of a list to another place: by dragging, with the arrow keys, or by two plain buttons. */
export function Reorder({ list, index, count, name }: Props) {
  const editor = useEditor();
  const handle = useWantedFocus<HTMLButtonElement>([...list, index, HANDLE]);
  const move = (to: number) => {
    if (to < 0 || to >= count || to === index) return;
    editor.move(list, index, to);
    announce(`${name} is now ${to + 1} of ${count}.`);
  };
  const step = (to: number) => {
    move(to);
    editor.want([...list, Math.max(0, Math.min(count - 1, to)), HANDLE]);
  };
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: count - 1,
  };
  return (
    <span class="reorder">
      <button
        ref={handle}
        type="button"
        class="handle"
        aria-label={`Move ${name}, ${index + 1} of ${count}: arrow keys, or drag`}
        onKeyDown={(event) => {
          const target = targets[event.key];
          if (target === undefined) return;
          event.preventDefault();
          step(target);
        }}
        onPointerDown={(event) => {
          if (event.button === 0) drag(event.currentTarget, event, index, move);
        }}
      >
        <Grip />
      </button>
      {/* For whoever commands by voice, or reads without the keys of the handle. The Tab key passes them by. */}
      <span class="unseen">
        <button type="button" tabIndex={-1} disabled={index === 0} onClick={() => step(index - 1)}>
          Move {name} up
        </button>
        <button type="button" tabIndex={-1} disabled={index === count - 1} onClick={() => step(index + 1)}>
          Move {name} down
        </button>
      </span>
    </span>
  );
}

/** So near to the edge of the window, dragging scrolls it. */
const EDGE_PX = 70;
const SCROLL_PX = 14;

/**
 * Follows the pointer until it lets go. What is seen meanwhile are attributes of the rows: nothing is rendered, and
 * nothing moves until the end.
 */
function drag(handle: HTMLElement, begin: PointerEvent, from: number, move: (to: number) => void): void {
  const row = handle.closest<HTMLElement>("[data-index]");
  if (!row) return;
  begin.preventDefault();
  // The focus keeps the row, and the handle in it, however far the window is scrolled.
  handle.focus({ preventScroll: true });
  handle.setPointerCapture(begin.pointerId);
  row.dataset.dragged = "";
  const startY = begin.clientY + scrollY;
  let pointerY = begin.clientY;
  let target: { readonly row: HTMLElement; readonly side: "before" | "after" } | undefined;

  const aim = (next: typeof target) => {
    delete target?.row.dataset.drop;
    target = next;
    if (next) next.row.dataset.drop = next.side;
  };
  const show = () => {
    const moved = pointerY + scrollY - startY;
    row.style.translate = `0 ${moved}px`;
    const own = row.getBoundingClientRect();
    // A pointer can leave the window, and there is nothing under it there: its edge stands for what is beyond.
    const y = Math.max(0, Math.min(innerHeight - 1, pointerY));
    const over = document
      .elementsFromPoint(own.left + own.width / 2, y)
      .map((element) => element.closest<HTMLElement>("[data-index]"))
      .find((found) => found !== null && found !== row);
    if (over) {
      const { top, height } = over.getBoundingClientRect();
      aim({ row: over, side: y < top + height / 2 ? "before" : "after" });
    } else if (y >= own.top - moved && y <= own.bottom - moved) aim(undefined);
  };
  const follow = (event: PointerEvent) => {
    pointerY = event.clientY;
    show();
  };
  const scrolling = setInterval(() => {
    // A handle that is gone does not hear that the pointer lets go.
    if (!handle.isConnected) return end(false);
    const direction = pointerY < EDGE_PX ? -1 : pointerY > innerHeight - EDGE_PX ? 1 : 0;
    if (direction === 0) return;
    scrollBy(0, direction * SCROLL_PX);
    show();
  }, 16);
  const ended = new AbortController();
  const end = (isDropped: boolean) => {
    clearInterval(scrolling);
    ended.abort();
    row.style.translate = "";
    delete row.dataset.dragged;
    const dropped = isDropped ? target : undefined;
    aim(undefined);
    if (!dropped) return;
    const over = Number(dropped.row.dataset.index) + (dropped.side === "after" ? 1 : 0);
    move(over > from ? over - 1 : over);
  };
  const { signal } = ended;
  handle.addEventListener("pointermove", follow, { signal });
  handle.addEventListener("pointerup", () => end(true), { signal });
  handle.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener("keydown", (event) => event.key === "Escape" && end(false), { signal });
}
