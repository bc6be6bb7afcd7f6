import { useState } from "preact/hooks";
import type { Difference, Version, Way } from "../../contract.ts";
import { useAnswer } from "../asking.ts";
import { call, Refusal } from "../calls.ts";
import { Awaited, Refused } from "../controls/asked.tsx";
import { CloseButton, Dialog } from "../controls/dialog.tsx";
import { Icon } from "../controls/icon.tsx";
import { ProblemList } from "../controls/problem-list.tsx";
import { ValueView } from "../controls/record-view.tsx";
import { Screen } from "../controls/screen.tsx";
import { isChanged, useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";
import { counted, differenceWords, momentAmong } from "../words.ts";

const WAYS: Readonly<Record<Way, string>> = {
  created: "Created",
  studio: "Saved in the studio",
  import: "Imported",
  restore: "Restored from an earlier version",
};

export function HistoryScreen({ user }: { readonly user: string }) {
  const editor = useEditor();
  const saves = useObserved(editor.state, (state) => state.saves);
  const { answer: versions, refusal, again } = useAnswer(() => call("listVersions", { user }), [user, saves]);
  const [looked, setLooked] = useState<Version>();
  const nameOf = ({ savedAt }: Version) =>
    momentAmong(
      (versions ?? []).map((version) => version.savedAt),
      savedAt,
    );
  return (
    <Screen
      title="History"
      intro={<p>The last versions of your record. Any of them can be looked at, and brought back.</p>}
    >
      <Awaited answer={versions} refusal={refusal} again={again} />
      <ol class="items">
        {versions?.map((version) => (
          <li key={version.version} class="card item">
            <div class="item-words">
              <strong>{nameOf(version)}</strong>
              <span>{version.way ? WAYS[version.way] : "How it came to be is no longer known"}</span>
              <Differences differences={version.differences} />
            </div>
            {version.isCurrent ? (
              <span class="pill">Now</span>
            ) : (
              <button
                type="button"
                class="button"
                aria-label={`Look at the version of ${nameOf(version)}`}
                onClick={() => setLooked(version)}
              >
                Look
              </button>
            )}
          </li>
        ))}
      </ol>
      {versions?.length === 1 && (
        <p class="hint">Once you save a change, the version before it is kept here.</p>
      )}
      {looked && (
        <VersionDialog
          user={user}
          version={looked}
          name={nameOf(looked)}
          onClose={() => setLooked(undefined)}
        />
      )}
    </Screen>
  );
}

export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return null;
  return (
    <ul class="differences">
      {differences.map((difference) => (
        <li key={`${difference.path.join(".")} ${difference.message}`}>{differenceWords(difference)}</li>
      ))}
    </ul>
  );
}

interface DialogProps {
  readonly user: string;
  readonly version: Version;
  readonly name: string;
  readonly onClose: () => void;
}

function VersionDialog({ user, version, name, onClose }: DialogProps) {
  const editor = useEditor();
  const { answer, refusal, again } = useAnswer(
    () => call("showVersion", { user, version: version.version }),
    [user, version],
  );
  const isDirty = useObserved(editor.state, isChanged);
  const isSaving = useObserved(editor.state, (state) => state.isSaving);
  const [revision, setRevision] = useState(editor.state.value.revision);
  const [failure, setFailure] = useState<Refusal>();
  const restore = async () => {
    if (isSaving) return;
    try {
      await editor.restore(version.version, revision);
      onClose();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setFailure(error);
      if (!error.stored) return;
      // It was saved elsewhere meanwhile: what would change is another thing now, and is shown before it is done.
      setRevision(error.stored.revision);
      again();
    }
  };
  return (
    <Dialog title={`The version of ${name}`} isWide isBusy={isSaving} onClose={onClose}>
      <Awaited answer={answer} refusal={refusal} again={again} />
      {failure && <NotRestored failure={failure} />}
      {answer && (
        <>
          <h3>Bringing it back would change</h3>
          {answer.wouldChange.length === 0 ? (
            <p>Nothing.</p>
          ) : (
            <Differences differences={answer.wouldChange} />
          )}
          {isDirty && (
            <p class="note warning">
              <Icon name="hidden" /> What you changed and did not save would be lost. Save first to keep it in
              the history.
            </p>
          )}
          <details class="whole">
            <summary>All that was in it</summary>
            <ValueView value={answer.record} />
          </details>
        </>
      )}
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={!answer}
          aria-disabled={isSaving}
          onClick={() => void restore()}
        >
          Bring this version back
        </button>
        <CloseButton isBusy={isSaving} onClose={onClose}>
          Close
        </CloseButton>
      </div>
    </Dialog>
  );
}

function NotRestored({ failure: { problems, stored, message } }: { readonly failure: Refusal }) {
  if (problems.length > 0)
    return (
      <ProblemList problems={problems}>
        This version cannot be brought back: {counted(problems.length, "problem")}.
      </ProblemList>
    );
  return (
    <Refused
      refusal={
        stored
          ? "The record was saved elsewhere meanwhile. Look again at what bringing this version back would change."
          : message
      }
    />
  );
}
