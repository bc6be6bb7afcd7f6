import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../asking.ts";
import { call } from "../calls.ts";
import { Doorway } from "../controls/doorway.tsx";
import { finishTyping } from "../controls/focus.ts";
import { Editor, EditorContext, isChanged } from "../editing/editor.ts";
import { go, guardLeaving, hashOf } from "../routes.ts";
import type { Section } from "../sections.ts";
import { AccountScreen } from "./account.tsx";
import { CodesScreen } from "./codes.tsx";
import { ConflictDialog } from "./conflict.tsx";
import { EducationScreen } from "./education.tsx";
import { HistoryScreen } from "./history.tsx";
import { HooksScreen } from "./hooks.tsx";
import { JobsScreen } from "./jobs.tsx";
import { KeysScreen } from "./keys.tsx";
import { LeavingDialog } from "./leaving.tsx";
import { LinkTreeScreen } from "./link-tree.tsx";
import { LinkTreesScreen } from "./link-trees.tsx";
import { NumbersScreen } from "./numbers.tsx";
import { ProfileScreen } from "./profile.tsx";
import { ProjectsScreen } from "./projects.tsx";
import { SaveBar } from "./save-bar.tsx";
import { Shell } from "./shell.tsx";
import { TakeAlongScreen } from "./take-along.tsx";

export interface WorkspaceProps {
  readonly user: string;
  readonly isOperator: boolean;
  readonly section: Section;
  readonly item: string | undefined;
  readonly publicUrl: string;
}

/** Everything about one user. Its record is loaded once, and what is changed in it stays from screen to screen. */
export function Workspace(props: WorkspaceProps) {
  const { user, isOperator } = props;
  const [editor, setEditor] = useState<Editor>();
  const { answer, refusal, again } = useAnswer(() => call("showRecord", { user }), [user]);
  useEffect(() => {
    if (answer) setEditor(new Editor(user, answer));
  }, [answer, user]);
  if (refusal !== undefined)
    return (
      <Doorway title="This record cannot be shown">
        <p class="lead">{refusal}</p>
        <div class="door-ways">
          <button type="button" class="button primary" onClick={again}>
            Try again
          </button>
          {isOperator && (
            <a class="button" href={hashOf({ section: "users" })}>
              All users
            </a>
          )}
        </div>
      </Doorway>
    );
  if (!editor) return <p class="waiting">One moment…</p>;
  return (
    <EditorContext.Provider value={editor}>
      <Desk {...props} editor={editor} />
    </EditorContext.Provider>
  );
}

function Desk({ editor, ...props }: WorkspaceProps & { readonly editor: Editor }) {
  const { user, isOperator, section, item } = props;

  useEffect(
    () =>
      guardLeaving((to) => {
        finishTyping();
        // Owners are in their own record wherever they go. An operator who names no user is back in the list.
        const staysHere = !isOperator || to?.user === user;
        if (staysHere || !isChanged(editor.state.value)) return true;
        editor.leave(() => go(to ?? { section: "users" }));
        return false;
      }),
    [editor, isOperator, user],
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      finishTyping();
      if (isChanged(editor.state.value)) event.preventDefault();
    };
    const saveByKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      finishTyping();
      if (isChanged(editor.state.value)) void editor.save();
    };
    addEventListener("beforeunload", ask);
    addEventListener("keydown", saveByKey);
    return () => {
      removeEventListener("beforeunload", ask);
      removeEventListener("keydown", saveByKey);
    };
  }, [editor]);

  return (
    <Shell {...props}>
      <SectionScreen key={`${section} ${item}`} {...props} />
      <SaveBar {...props} />
      <ConflictDialog />
      <LeavingDialog />
    </Shell>
  );
}

function SectionScreen({ section, item, publicUrl, isOperator, user }: WorkspaceProps) {
  switch (section) {
    case "profile":
      return <ProfileScreen publicUrl={publicUrl} isOperator={isOperator} />;
    case "links":
      return item === undefined ? (
        <LinkTreesScreen publicUrl={publicUrl} isOperator={isOperator} />
      ) : (
        <LinkTreeScreen id={item} publicUrl={publicUrl} isOperator={isOperator} />
      );
    case "jobs":
      return <JobsScreen />;
    case "projects":
      return <ProjectsScreen />;
    case "education":
      return <EducationScreen />;
    case "numbers":
      return <NumbersScreen user={user} />;
    case "codes":
      return <CodesScreen user={user} publicUrl={publicUrl} />;
    case "keys":
      return <KeysScreen user={user} publicUrl={publicUrl} />;
    case "hooks":
      return <HooksScreen user={user} />;
    case "history":
      return <HistoryScreen user={user} />;
    case "take-along":
      return <TakeAlongScreen user={user} />;
    case "account":
      return <AccountScreen user={user} isOperator={isOperator} />;
  }
}
