import { createContext } from "preact";
import { useContext, useRef } from "preact/hooks";
import type { Problem, StoredRecord } from "../../contract.ts";
import { call, Refusal } from "../calls.ts";
import { Observable, useObserved } from "../observable.ts";
import { entryName, sentence } from "../words.ts";
import { wrongWithDate } from "./dates.ts";
import { type Draft, draftOf, keyOf, withoutLostJobs } from "./draft.ts";
import { merge } from "./merge.ts";
import { begins, isSame, type Path, textOf, valueAt, withValue } from "./paths.ts";

export interface EditorState {
  /** The record as the server has it, as far as this page knows. */
  readonly stored: Draft;
  readonly revision: string;
  readonly draft: Draft;
  readonly problems: readonly Problem[];
  /** The same by place, as sentences. */
  readonly problemAt: ReadonlyMap<string, string>;
  /** The field that wants the focus as soon as it is on the screen. */
  readonly wanted: Path | undefined;
  /** The entry that was removed last, and can be brought back until that is saved. */
  readonly removed: Removed | undefined;
  readonly isSaving: boolean;
  /** Why the last save failed, where no field is to blame. */
  readonly failure: string | undefined;
  /** What somebody else saved meanwhile. */
  readonly conflict: StoredRecord | undefined;
  /** The way out that somebody took with changes that are not saved, and is asked about. */
  readonly leaving: (() => void) | undefined;
  /** How often it was saved from here, and how often that was refused because of a field. */
  readonly saves: number;
  readonly refusals: number;
}

interface Removed {
  readonly list: Path;
  readonly index: number;
  readonly entry: object;
}

const UNTROUBLED = { problems: [], problemAt: new Map<string, string>(), failure: undefined };

/** One user's record while it is edited: what is stored, what was changed, and what is wrong with it. */
export class Editor {
  readonly user: string;
  readonly state: Observable<EditorState>;
  /** What was sent by saves that failed, since the last that did not: one of them may be stored all the same. */
  #failed: readonly Draft[] = [];

  constructor(user: string, { record, revision }: StoredRecord) {
    this.user = user;
    const stored = draftOf(record);
    this.state = new Observable<EditorState>({
      stored,
      revision,
      draft: stored,
      ...UNTROUBLED,
      wanted: undefined,
      removed: undefined,
      isSaving: false,
      conflict: undefined,
      leaving: undefined,
      saves: 0,
      refusals: 0,
    });
  }

  get draft(): Draft {
    return this.state.value.draft;
  }

  /** Sets one value. What was wrong with the old one is no longer said. */
  edit(path: Path, value: unknown): void {
    const { draft, problems } = this.state.value;
    this.#set({
      draft: withValue(draft, path, value),
      ...(problems.length > 0 && troubles(problems.filter((problem) => !begins(problem.path, path)))),
    });
  }

  insert(list: Path, index: number, ...entries: object[]): void {
    this.edit(list, this.#list(list).toSpliced(index, 0, ...entries));
  }

  remove(list: Path, index: number): void {
    const entry = this.#list(list)[index];
    if (entry === undefined) return;
    this.edit(list, this.#list(list).toSpliced(index, 1));
    this.#set({ removed: { list, index, entry } });
  }

  /** Brings back the entry that was removed last, and says where it is now. */
  bringBack(): Path | undefined {
    const { removed } = this.state.value;
    if (!removed) return undefined;
    const { list, entry } = removed;
    const index = Math.min(removed.index, this.#list(list).length);
    this.insert(list, index, entry);
    this.#set({ removed: undefined });
    return [...list, index];
  }

  move(list: Path, from: number, to: number): void {
    const entries = this.#list(list);
    const entry = entries[from];
    if (entry !== undefined && from !== to)
      this.edit(list, entries.toSpliced(from, 1).toSpliced(to, 0, entry));
  }

  /** Asks for the focus at a field, or gives up asking. */
  want(path: Path | undefined): void {
    this.#set({ wanted: path });
  }

  discard(): void {
    this.#set({ draft: this.state.value.stored, ...UNTROUBLED, removed: undefined, conflict: undefined });
  }

  /** Leaves the record by some way out, and asks before that if something is not saved. */
  leave(wayOut: () => void): void {
    if (isChanged(this.state.value)) this.#set({ leaving: wayOut });
    else wayOut();
  }

  stay(): void {
    this.#set({ leaving: undefined });
  }

  /** Saves what was changed, and says whether all of it is stored now. */
  async save(): Promise<boolean> {
    if (this.state.value.isSaving) return false;
    const { draft: before, revision } = this.state.value;
    const sent = withoutLostJobs(before);
    this.#set({ isSaving: true, ...UNTROUBLED });
    try {
      const saved = await call("saveRecord", { user: this.user, body: { record: sent, revision } });
      this.#failed = [];
      const stored = draftOf(saved.record, sent);
      // Whatever was typed in the meantime stays.
      const draft = this.draft === before ? stored : merge(sent, this.draft, stored).whole;
      this.#store(stored, saved.revision, draft);
      return isSame(draft, stored);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!this.#tookBefore(error.stored)) {
        // What is refused because of another save is not stored.
        this.#failed = error.stored ? [] : [...this.#failed, sent];
        this.#blame(error);
        return false;
      }
    } finally {
      this.#set({ isSaving: false });
    }
    return this.save();
  }

  /**
   * Whether what somebody saved in between is what was sent from here: it was stored, and only the answer got lost. It is
   * taken as that answer then, and there is nobody else to tell of.
   */
  #tookBefore(saved: StoredRecord | undefined): boolean {
    if (!saved) return false;
    const sent = this.#failed.findLast(
      (it) => merge(it, it, draftOf(saved.record, it)).fromThem.length === 0,
    );
    if (!sent) return false;
    const stored = draftOf(saved.record, sent);
    this.resolve(merge(sent, this.draft, stored).whole, stored, saved.revision);
    return true;
  }

  /** Goes on from a version that was joined with what somebody else saved. */
  resolve(draft: Draft, stored: Draft, revision: string): void {
    this.#set({ stored, revision, draft, ...UNTROUBLED, removed: undefined, conflict: undefined });
  }

  /**
   * Goes back to an earlier version from the revision that is stored, and throws what was refused. What was changed and
   * not saved is left out once the version is there.
   */
  async restore(version: number, revision: string): Promise<void> {
    this.#set({ isSaving: true });
    try {
      const restored = await call("restoreVersion", { user: this.user, version, body: { revision } });
      const stored = draftOf(restored.record, this.state.value.stored);
      this.#store(stored, restored.revision, stored);
      this.#set({ ...UNTROUBLED, conflict: undefined });
    } finally {
      this.#set({ isSaving: false });
    }
  }

  #store(stored: Draft, revision: string, draft: Draft): void {
    this.#set({ stored, revision, draft, removed: undefined, saves: this.state.value.saves + 1 });
  }

  #blame({ stored, problems, message }: Refusal): void {
    if (stored) this.#set({ conflict: stored });
    else if (problems.length > 0)
      this.#set({
        ...troubles(problems.map((problem) => worded(problem, this.draft))),
        wanted: problems[0]?.path,
        refusals: this.state.value.refusals + 1,
      });
    else this.#set({ failure: message });
  }

  #list(path: Path): readonly object[] {
    return (valueAt(this.draft, path) ?? []) as readonly object[];
  }

  #set(change: Partial<EditorState>): void {
    this.state.set({ ...this.state.value, ...change });
  }
}

export function isChanged({ draft, stored }: EditorState): boolean {
  return draft !== stored && !isSame(draft, stored);
}

function troubles(problems: readonly Problem[]) {
  return {
    problems,
    problemAt: new Map(problems.map(({ path, message }) => [textOf(path), sentence(message)])),
  };
}

/** A problem as this page speaks of it, which has fields where a file has notations, and no numbers for entries. */
function worded(problem: Problem, draft: Draft): Problem {
  return { ...problem, message: ownWords(problem, draft) ?? problem.message };
}

function ownWords({ path, message }: Problem, draft: Draft): string | undefined {
  if (path[0] === "codehostId") return "needs a whole number of at most 15 digits";
  if (message.includes("ISO 8601")) return wrongWithDate(valueAt(draft, path) as string | undefined);
  const [, twin] = /that of entry \[(\d+)\]$/.exec(message) ?? [];
  return twin && `is that of “${entryName(valueAt(draft, [...path.slice(0, -2), twin]) as object)}” already`;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("there is no record to edit here");
  return editor;
}

/** A part of what is being edited. */
export function useDraft<Part>(select: (draft: Draft) => Part): Part {
  return useObserved(useEditor().state, ({ draft }) => select(draft));
}

/** A value of the record at its place, what is wrong with it, and a way to change it. */
export function useValue<Value>(path: Path): [Value, (value: Value) => void, string | undefined] {
  const editor = useEditor();
  const value = useObserved(editor.state, ({ draft }) => valueAt(draft, path)) as Value;
  const problem = useObserved(editor.state, ({ problemAt }) => problemAt.get(textOf(path)));
  return [value, (changed) => editor.edit(path, changed), problem];
}

/** A list that is made of the draft. It is another one only where it says something else. */
export function useList<Item>(select: (draft: Draft) => readonly Item[]): readonly Item[] {
  const known = useRef<readonly Item[]>([]);
  return useDraft((draft) => {
    const list = select(draft);
    if (!isSame(list, known.current)) known.current = list;
    return known.current;
  });
}

/** The keys of a list's entries. It changes with their number and order, and not with what is typed into them. */
export function useKeys(list: Path): readonly string[] {
  return useList((draft) => ((valueAt(draft, list) ?? []) as readonly object[]).map(keyOf));
}
