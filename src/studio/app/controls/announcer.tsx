import { useState } from "preact/hooks";
import { Observable, useObserved } from "../observable.ts";

const said = new Observable({ text: "", count: 0 });

/** Words that come together with the end of a dialog, behind which nothing is heard, are said once it is gone. */
const DELAY_MS = 100;

/** Says something to those who do not see the screen. */
export function announce(text: string): void {
  setTimeout(() => said.set({ text, count: said.value.count + 1 }), DELAY_MS);
}

/**
 * Where things are said: one place for the page, and one for each dialog, since all behind it is silent. The same words
 * twice are two announcements, so each has an element. What was said before a place was there is not said in it.
 */
export function Announcer() {
  const { text, count } = useObserved(said, (value) => value);
  const [before] = useState(count);
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span key={count}>{count > before && text}</span>
    </div>
  );
}
