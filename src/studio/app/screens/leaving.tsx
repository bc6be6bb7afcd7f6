import { Dialog } from "../controls/dialog.tsx";
import { useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";
import { go, type Place } from "../routes.ts";

/** Asks somebody who leaves a record with changes that are not saved. */
export function LeavingDialog({ to, onStay }: { readonly to: Place; readonly onStay: () => void }) {
  const editor = useEditor();
  const isSaving = useObserved(editor.state, (state) => state.isSaving);
  const leave = () => {
    editor.discard();
    go(to);
  };
  const saveAndLeave = async () => {
    if (await editor.save()) go(to);
    else onStay();
  };
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <p>What you changed here is not saved yet.</p>
      <div class="actions">
        <button type="button" class="button primary" disabled={isSaving} onClick={() => void saveAndLeave()}>
          Save and leave
        </button>
        <button type="button" class="button" onClick={onStay}>
          Stay
        </button>
        <button type="button" class="button danger" onClick={leave}>
          Leave without saving
        </button>
      </div>
    </Dialog>
  );
}
