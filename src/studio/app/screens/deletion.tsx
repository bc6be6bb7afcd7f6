import { useState } from "preact/hooks";
import { useDoing } from "../asking.ts";
import { call, orGone } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Refused } from "../controls/asked.tsx";
import { CloseButton, Dialog } from "../controls/dialog.tsx";

interface Props {
  readonly user: string;
  readonly email: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Deletes a user with all there is: the address is typed, and then it is asked once more. */
export function DeletionDialog({ user, email, onDone, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const [isSure, setSure] = useState(false);
  const { isBusy, refusal, run } = useDoing();
  const isRight = typed.trim().toLowerCase() === email.toLowerCase();
  const remove = async () => {
    if (!(await run(() => orGone(call("deleteUser", { user, body: { email: typed.trim() } }))))) return;
    announce(`${email} is deleted.`);
    onDone();
  };
  return (
    // The last question is a dialog of its own, which begins at its first button: who holds Enter keeps everything.
    <Dialog key={String(isSure)} title={`Delete ${email}?`} isBusy={isBusy} onClose={onClose}>
      {isSure ? (
        <p>
          <strong>This is the last question.</strong> The record, its pages, keys, numbers and history go, and
          nobody can bring them back. A download from “Take along” would be all that is left.
        </p>
      ) : (
        <>
          <p>The record, its pages, keys, numbers and history are removed for good.</p>
          <div class="field">
            <label for="typed-email">To go on, type {email}</label>
            <input
              id="typed-email"
              class="input"
              autocomplete="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </div>
        </>
      )}
      <Refused refusal={refusal} />
      <div class="actions">
        <CloseButton isBusy={isBusy} onClose={onClose}>
          Keep everything
        </CloseButton>
        {isSure ? (
          <button type="button" class="button danger" aria-disabled={isBusy} onClick={() => void remove()}>
            Delete everything now
          </button>
        ) : (
          <button type="button" class="button danger" disabled={!isRight} onClick={() => setSure(true)}>
            Go on
          </button>
        )}
      </div>
    </Dialog>
  );
}
