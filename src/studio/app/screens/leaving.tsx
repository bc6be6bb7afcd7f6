import { CloseButton, Dialog } from "../controls/dialog.tsx";
import { useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";

/** Asks somebody who leaves a record with changes that are not saved. */
export function LeavingDialog() {
  const wayOut = useObserved(useEditor().state, (state) => state.leaving);
  return wayOut ? <Asking wayOut={wayOut} /> : null;
}

function Asking({ wayOut }: { readonly wayOut: () => void }) {
  const editor = useEditor();
  const isSaving = useObserved(editor.state, (state) => state.isSaving);
  const stay = () => editor.stay();
  const leave = () => {
    editor.stay();
    editor.discard();
    wayOut();
  };
  const saveAndLeave = async () => {
    if (isSaving) return;
    const isSaved = await editor.save();
    editor.stay();
    if (isSaved) wayOut();
  };
  return (
    <Dialog title="Leave without saving?" isBusy={isSaving} onClose={stay}>
      <p>What you changed here is not saved yet.</p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          aria-disabled={isSaving}
          onClick={() => void saveAndLeave()}
        >
          Save and leave
        </button>
        <CloseButton isBusy={isSaving} onClose={stay}>
          Stay
        </CloseButton>
        <button
          type="button"
          class="button danger"
          aria-disabled={isSaving}
          onClick={() => isSaving || leave()}
        >
          Leave without saving
        </button>
      </div>
    </Dialog>
  );
}
