import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** For the heading of what fills the page: it gets the focus with somebody's arrival, unless something there has it. */
export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Vitrine`;
  }, [title]);
  useEffect(() => {
    const main = heading.current?.closest("main");
    const active = document.activeElement;
    if (active === null || active === main || !main?.contains(active))
      heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** One screen with its title. */
export function Screen({ title, intro, actions, isWide, children }: Props) {
  const heading = useHeading(title);
  return (
    <div class={isWide ? "screen wide" : "screen"}>
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {actions}
      </div>
      {intro && <div class="intro">{intro}</div>}
      {children}
    </div>
  );
}
