import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How far beyond the window something counts as near. */
const AHEAD = "600px 0px";

/** Whether an element has been near the window yet: what costs a request can wait until then. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
