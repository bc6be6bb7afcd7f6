import type { ComponentChildren } from "preact";
import { useDoing } from "../asking.ts";
import { Refused } from "./asked.tsx";
import { CloseButton, Dialog } from "./dialog.tsx";

interface Props {
  readonly title: string;
  readonly yes: string;
  readonly no: string;
  readonly onYes: () => Promise<void> | void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is gone. It begins at the button that keeps it. */
export function Question({ title, yes, no, onYes, onClose, children }: Props) {
  const { isBusy, refusal, run } = useDoing();
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p>{children}</p>
      <Refused refusal={refusal} />
      <div class="actions">
        <CloseButton isBusy={isBusy} onClose={onClose}>
          {no}
        </CloseButton>
        <button
          type="button"
          class="button danger"
          aria-disabled={isBusy}
          onClick={() => void run(async () => onYes())}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
