import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../../contract.ts";
import { announce } from "../controls/announcer.tsx";
import { Icon } from "../controls/icon.tsx";
import { Question } from "../controls/question.tsx";
import { changedSections, sectionOf } from "../editing/changes.ts";
import { type Editor, isChanged, useEditor } from "../editing/editor.ts";
import type { Path } from "../editing/paths.ts";
import { useObserved } from "../observable.ts";
import { go } from "../routes.ts";
import { counted, entryName, fieldName, listed, SECTION_NAMES, sentence } from "../words.ts";
import type { WorkspaceProps } from "./workspace.tsx";

const SAVED_MS = 2500;

/** Where the focus goes in an entry that is brought back, other than to its title. */
const FIRST_FIELDS: Readonly<Record<string, string>> = { links: "label", education: "institution" };

/** One Save for all that was changed, wherever that was. */
export function SaveBar({ user, isOperator }: Pick<WorkspaceProps, "user" | "isOperator">) {
  const editor = useEditor();
  const isDirty = useObserved(editor.state, isChanged);
  const where = useObserved(editor.state, (state) =>
    listed(changedSections(state).map((section) => SECTION_NAMES[section])),
  );
  const isSaving = useObserved(editor.state, (state) => state.isSaving);
  const problems = useObserved(editor.state, (state) => state.problems);
  const refusals = useObserved(editor.state, (state) => state.refusals);
  const failure = useObserved(editor.state, (state) => state.failure);
  const isSaved = useJustSaved(editor);
  const [isDiscarding, setDiscarding] = useState(false);
  const before = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    // Whoever came to the buttons by keyboard goes back to where that was.
    if (!isDirty && document.activeElement === document.body && before.current instanceof HTMLElement)
      before.current.focus({ preventScroll: true });
  }, [isDirty]);

  const show = (path: Path) => {
    const section = sectionOf(path);
    const tree = section === "links" ? editor.draft.linkTrees[Number(path[1])] : undefined;
    editor.want(path);
    go({ section, user: isOperator ? user : undefined, item: tree?.id });
  };
  const first = problems[0];
  useEffect(() => {
    if (!first) return;
    announce(`Not saved. ${counted(problems.length, "problem")}. ${wordsFor(first)}`);
    show(first.path);
  }, [refusals]);
  useEffect(() => {
    if (failure) announce(`Not saved. ${failure}`);
  }, [failure]);

  if (!isDirty && !isSaved) return null;
  return (
    <section
      class={first || failure ? "save-bar troubled" : "save-bar"}
      aria-label="Saving"
      onFocusIn={({ currentTarget, target, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget as Node | null)) return;
        // A field that a finger has left would bring back the keyboard of a phone.
        const isByKeyboard = target instanceof Element && target.matches(":focus-visible");
        before.current = isByKeyboard ? relatedTarget : null;
      }}
    >
      {isDirty ? (
        <>
          <div class="save-words">
            <SaveWords problems={problems} failure={failure} where={where} show={show} />
          </div>
          <button
            type="button"
            class="button"
            aria-disabled={isSaving}
            onClick={() => isSaving || setDiscarding(true)}
          >
            Discard
          </button>
          <button
            type="button"
            class="button primary"
            aria-disabled={isSaving}
            onClick={() => void editor.save()}
          >
            {isSaving ? "Saving…" : "Save"}
          </button>
        </>
      ) : (
        <p class="saved">
          <Icon name="done" /> Saved
        </p>
      )}
      {isDiscarding && (
        <Question
          title="Discard your changes?"
          yes="Discard"
          no="Keep them"
          onYes={() => {
            editor.discard();
            setDiscarding(false);
            announce("Your changes are discarded.");
          }}
          onClose={() => setDiscarding(false)}
        >
          What you changed in {where} goes back to how it was saved.
        </Question>
      )}
    </section>
  );
}

interface WordsProps {
  readonly problems: readonly Problem[];
  readonly failure: string | undefined;
  readonly where: string;
  readonly show: (path: Path) => void;
}

/** Why it is not saved, and the way to what stands in the way. */
function SaveWords({ problems, failure, where, show }: WordsProps) {
  const editor = useEditor();
  const removed = useObserved(editor.state, (state) => state.removed);
  const bringBack = () => {
    const entry = editor.bringBack();
    if (!entry) return;
    announce("It is back where it was.");
    show([...entry, FIRST_FIELDS[String(entry.at(-2))] ?? "title"]);
  };
  const [first] = problems;
  if (first)
    return (
      <>
        <strong>{counted(problems.length, "thing needs", "things need")} your attention</strong>
        <button type="button" class="link" onClick={() => show(first.path)}>
          {wordsFor(first)}
        </button>
      </>
    );
  if (failure)
    return (
      <>
        <strong>Not saved</strong> <span>{failure}</span>
      </>
    );
  return (
    <>
      <strong>Not saved yet</strong> <span>{where}</span>
      {removed && (
        <button type="button" class="link bring-back" onClick={bringBack}>
          Bring back “{entryName(removed.entry)}”
        </button>
      )}
    </>
  );
}

function wordsFor({ path, message }: Problem): string {
  const field = path.findLast((step) => typeof step === "string" && step !== "value");
  return `${fieldName(String(field), path.includes("links"))}: ${sentence(message)}`;
}

/** Whether a save was done a moment ago. */
function useJustSaved(editor: Editor): boolean {
  const saves = useObserved(editor.state, (state) => state.saves);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (saves === 0) return;
    announce("Saved.");
    setShown(true);
    const timer = setTimeout(() => setShown(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saves]);
  return isShown;
}
