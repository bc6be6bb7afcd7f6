import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** One screen with its title, which gets the focus when somebody comes here, unless something on it has it. */
export function Screen({ title, intro, actions, isWide, children }: Props) {
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
  return (
    <div class={isWide ? "screen wide" : "screen"}>
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {intro && <div class="intro">{intro}</div>}
      {children}
    </div>
  );
}
