import { useState } from "preact/hooks";
import type { RecordCheck } from "../../contract.ts";
import { useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Refused } from "../controls/asked.tsx";
import { Icon } from "../controls/icon.tsx";
import { ProblemList } from "../controls/problem-list.tsx";
import { Screen } from "../controls/screen.tsx";
import { draftOf } from "../editing/draft.ts";
import { isChanged, useEditor } from "../editing/editor.ts";
import { saveFile } from "../files.ts";
import { useObserved } from "../observable.ts";
import { counted } from "../words.ts";
import { Differences } from "./history.tsx";

const FORMATS = [
  ["yaml", "YAML", "Reads well, and is easy to edit by hand."],
  ["json", "JSON", "For programs."],
] as const;

/** Everything out as a file, and a file in. */
export function TakeAlongScreen({ user }: { readonly user: string }) {
  const slug = useObserved(useEditor().state, ({ stored }) => stored.profile.slug);
  const { isBusy, refusal, run } = useDoing();
  const download = (format: "yaml" | "json") =>
    run(async () => saveFile(await call("exportRecord", { user, query: { format } }), `${slug}.${format}`));
  return (
    <Screen
      title="Take along"
      intro={<p>All of your record as one file. It is yours: keep it, edit it, move it elsewhere.</p>}
    >
      <Refused refusal={refusal} />
      <div class="formats">
        {FORMATS.map(([format, name, words]) => (
          <section key={format} class="card">
            <h2>{name}</h2>
            <p class="hint">{words}</p>
            <button type="button" class="button" aria-disabled={isBusy} onClick={() => void download(format)}>
              <Icon name="take-along" />
              Download {name}
            </button>
          </section>
        ))}
      </div>
      <Upload user={user} />
    </Screen>
  );
}

function Upload({ user }: { readonly user: string }) {
  const editor = useEditor();
  const isDirty = useObserved(editor.state, isChanged);
  const [read, setRead] = useState<{ readonly name: string; readonly check: RecordCheck }>();
  const { isBusy, refusal, run } = useDoing();
  const choose = (file: File | undefined) => {
    setRead(undefined);
    if (file)
      void run(async () => {
        setRead({ name: file.name, check: await call("readUpload", { user, body: file }) });
        announce("The file is read.");
      });
  };
  const take = () => {
    if (!read?.check.record) return;
    editor.edit([], draftOf(read.check.record, editor.draft));
    void editor.save();
    setRead(undefined);
  };
  return (
    <>
      <h2>Bring a file back</h2>
      <section class="card">
        <p>
          A record as YAML or JSON, such as one from above. You see what it would change before anything is
          saved.
        </p>
        <div class="actions">
          <label class="button file">
            Choose a file
            <input
              type="file"
              accept=".yaml,.yml,.json,application/json,application/yaml,text/yaml"
              aria-disabled={isBusy}
              onClick={(event) => isBusy && event.preventDefault()}
              onChange={(event) => {
                choose(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </label>
        </div>
        <Refused refusal={refusal} />
        {read && <Outcome name={read.name} check={read.check} />}
        {read?.check.record && read.check.differences.length > 0 && (
          <>
            {isDirty && (
              <p class="note warning">It takes the place of what you changed here and did not save.</p>
            )}
            <div class="actions">
              <button type="button" class="button primary" onClick={take}>
                Save this record
              </button>
              <button type="button" class="button" onClick={() => setRead(undefined)}>
                Leave it
              </button>
            </div>
          </>
        )}
      </section>
    </>
  );
}

function Outcome({ name, check }: { readonly name: string; readonly check: RecordCheck }) {
  if (check.problems.length > 0)
    return (
      <ProblemList problems={check.problems}>
        <strong>{name}</strong> cannot be saved: {counted(check.problems.length, "problem")}.
      </ProblemList>
    );
  if (check.differences.length === 0)
    return (
      <p class="note" role="status">
        <strong>{name}</strong> is the same as what is saved. There is nothing to change.
      </p>
    );
  return (
    <div class="note" role="status">
      <p>
        <strong>{name}</strong> would change:
      </p>
      <Differences differences={check.differences} />
    </div>
  );
}
