import type { ComponentChildren } from "preact";
import { Mark } from "./mark.tsx";
import { useHeading } from "./screen.tsx";

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** What somebody sees who is not inside, or cannot go on: one thing, with nothing around it. */
export function Doorway({ title, children }: Props) {
  const heading = useHeading(title);
  return (
    <main class="door">
      <Mark />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
