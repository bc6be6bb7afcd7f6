import { Observable, useObserved } from "../observable.ts";

const said = new Observable({ text: "", count: 0 });

/** Says something to those who do not see the screen. */
export function announce(text: string): void {
  said.set({ text, count: said.value.count + 1 });
}

/** The one place where things are said. The same words twice are two announcements, so each has an element. */
export function Announcer() {
  const { text, count } = useObserved(said, (value) => value);
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
