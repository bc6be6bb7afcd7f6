import { useState } from "preact/hooks";
import type { StoredRecord } from "../../contract.ts";
import { Dialog } from "../controls/dialog.tsx";
import { ValueView } from "../controls/record-view.tsx";
import { draftOf } from "../editing/draft.ts";
import { useEditor } from "../editing/editor.ts";
import { type Clash, merge, type Side } from "../editing/merge.ts";
import { useObserved } from "../observable.ts";
import { listed } from "../words.ts";

/** Shown when somebody else saved in between: both versions side by side, and the reader decides. */
export function ConflictDialog() {
  const conflict = useObserved(useEditor().state, (state) => state.conflict);
  return conflict ? <Choosing conflict={conflict} /> : null;
}

function Choosing({ conflict }: { readonly conflict: StoredRecord }) {
  const editor = useEditor();
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const { stored, draft } = editor.state.value;
  const theirs = draftOf(conflict.record, stored);
  const { whole, clashes, fromThem } = merge(stored, draft, theirs, choices);
  const goOn = async () => {
    editor.resolve(whole, theirs, conflict.revision);
    await editor.save();
  };
  return (
    <Dialog title="This was changed elsewhere meanwhile" isWide>
      <p>
        Another tab, an import or somebody else saved this record after you opened it. Nothing is lost: what
        they saved is stored and in the history, and your changes are here.
      </p>
      {fromThem.length > 0 && (
        <p>Taken from them, since you left it alone: {listed([...new Set(fromThem.map(wordsFor))])}.</p>
      )}
      {clashes.length > 0 ? (
        <>
          <p>Both of you changed the following. Which shall hold?</p>
          {clashes.map((clash) => (
            <Choice
              key={clash.key}
              clash={clash}
              side={choices.get(clash.key) ?? "mine"}
              onChoose={(side) => setChoices(new Map(choices).set(clash.key, side))}
            />
          ))}
        </>
      ) : (
        <p>You changed different things, so both can be kept.</p>
      )}
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void goOn()}>
          Save {clashes.length > 0 ? "as chosen" : "both"}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => editor.resolve(theirs, theirs, conflict.revision)}
        >
          Drop my changes
        </button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly clash: Clash;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

function Choice({ clash, side, onChoose }: ChoiceProps) {
  const versions = [
    { of: "mine", name: "Yours", value: clash.mine },
    { of: "theirs", name: "Saved meanwhile", value: clash.theirs },
  ] as const;
  const field = clash.key.slice(clash.key.lastIndexOf("/") + 1);
  return (
    <fieldset class="clash">
      <legend>{wordsFor(clash.where)}</legend>
      {versions.map(({ of, name, value }) => (
        <label key={of} class={side === of ? "version chosen" : "version"}>
          <span class="version-name">
            <input type="radio" name={clash.key} checked={side === of} onChange={() => onChoose(of)} />
            {name}
          </span>
          <span class="version-value">
            {value === undefined ? "removed" : <ValueView value={value} field={field} />}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function wordsFor(where: readonly string[]): string {
  return where.join(" › ");
}
