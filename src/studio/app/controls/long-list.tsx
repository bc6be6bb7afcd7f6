import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const CHUNK_ROWS = 40;
/** How far beyond the window rows are there already, so that scrolling and the Tab key never meet a gap. */
const AHEAD = "900px 0px";

interface Props {
  readonly label: string;
  readonly keys: readonly string[];
  /** The height of a row before one was seen. */
  readonly rowHeight: number;
  /** A row that must be there, in view or not. */
  readonly needed: number | undefined;
  readonly row: (key: string, index: number) => ComponentChildren;
}

/**
 * A list of any length. Only rows near the window are there, in chunks; where the others would be is room of the same
 * height.
 */
export function LongList({ label, keys, rowHeight, needed, row }: Props) {
  const starts = Array.from(
    { length: Math.ceil(keys.length / CHUNK_ROWS) },
    (_, index) => index * CHUNK_ROWS,
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: chunks stand between the list and its rows.
    <div class="rows" role="list" aria-label={label}>
      {starts.map((start) => (
        <Chunk
          key={start}
          rows={Math.min(CHUNK_ROWS, keys.length - start)}
          rowHeight={rowHeight}
          isFirst={start === 0}
          isNeeded={needed !== undefined && needed >= start && needed < start + CHUNK_ROWS}
        >
          {() => keys.slice(start, start + CHUNK_ROWS).map((key, offset) => row(key, start + offset))}
        </Chunk>
      ))}
    </div>
  );
}

interface ChunkProps {
  readonly rows: number;
  readonly rowHeight: number;
  readonly isFirst: boolean;
  readonly isNeeded: boolean;
  readonly children: () => ComponentChildren;
}

function Chunk({ rows, rowHeight, isFirst, isNeeded, children }: ChunkProps) {
  const element = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const [isNear, setNear] = useState(isFirst);
  const isThere = isNear || isNeeded;
  useEffect(() => {
    const chunk = element.current;
    if (!chunk) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy page hears of several changes at once: the last is how it is.
        const entry = entries.at(-1);
        // Whoever is typing in a chunk keeps it, wherever the window is scrolled to.
        if (entry) setNear(entry.isIntersecting || chunk.contains(document.activeElement));
      },
      { rootMargin: AHEAD },
    );
    observer.observe(chunk);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    // Whoever was led here is about to get the focus: the chunk stays until the window has come and gone.
    if (isNeeded) setNear(true);
  }, [isNeeded]);
  useLayoutEffect(() => {
    const chunk = element.current;
    if (!chunk) return;
    if (isThere) {
      chunk.style.height = "";
      height.current = chunk.offsetHeight / rows;
    } else chunk.style.height = `${(height.current || rowHeight) * rows}px`;
  });
  return (
    <div ref={element} role="presentation">
      {isThere && children()}
    </div>
  );
}
