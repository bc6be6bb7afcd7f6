import type { ComponentChildren } from "preact";
import type { Problem } from "../../contract.ts";
import { fieldName, sentence } from "../words.ts";

interface Props {
  readonly problems: readonly Problem[];
  /** What cannot be done because of them. */
  readonly children: ComponentChildren;
}

/** What is wrong with a record that is not the one being edited, so that no field on the screen can say it. */
export function ProblemList({ problems, children }: Props) {
  return (
    <div class="note warning" role="alert">
      <p>{children}</p>
      <ul class="differences">
        {problems.map(({ path, message }) => (
          <li key={`${path.join(".")} ${message}`}>
            <strong>{placeOf(path)}</strong> {sentence(message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeOf(path: Problem["path"]): string {
  const isOfLink = path.includes("links");
  const words = path.map((step) => (typeof step === "number" ? String(step + 1) : fieldName(step, isOfLink)));
  return words.length === 0 ? "The record" : words.join(", ");
}
