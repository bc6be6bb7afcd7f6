import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../controls/announcer.tsx";
import { useWantedIndex } from "../controls/focus.ts";
import { Icon } from "../controls/icon.tsx";
import { LongList } from "../controls/long-list.tsx";
import { Screen } from "../controls/screen.tsx";
import { useEditor, useKeys, useValue } from "../editing/editor.ts";
import type { Path } from "../editing/paths.ts";
import { useObserved } from "../observable.ts";
import { entryName } from "../words.ts";

const ROW_HEIGHT = 76;

interface Props<Entry extends object> {
  readonly title: string;
  readonly intro: string;
  readonly list: "jobs" | "projects" | "education";
  /** What one of them is called: "job". */
  readonly noun: string;
  readonly blank: () => Entry;
  /** Where somebody begins to fill in a new one. */
  readonly firstField: string;
  readonly name: (entry: Entry) => string;
  readonly details: (entry: Entry) => string;
  readonly isPrivate?: (entry: Entry) => boolean;
  readonly form: (path: Path) => ComponentChildren;
}

/** Jobs, projects or education: a line each, of which one or more are opened for editing. */
export function EntryList<Entry extends object>(props: Props<Entry>) {
  const { title, intro, list, noun, blank, firstField } = props;
  const editor = useEditor();
  const keys = useKeys([list]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const wanted = useWantedIndex([list]);
  // The entry whose line gets the focus, since the one that had it is removed.
  const [next, setNext] = useState<string>();
  // The entry that somebody is working on, or was last. A save may sort it to another place.
  const [held, setHeld] = useState<string>();
  const heldAt = held === undefined ? -1 : keys.indexOf(held);
  const addButton = useRef<HTMLButtonElement>(null);
  const toggle = (key: string, isOpen: boolean) =>
    setOpened((before) => {
      const changed = new Set(before);
      if (isOpen) changed.add(key);
      else changed.delete(key);
      return changed;
    });
  useEffect(() => {
    // Whoever is led to a field finds its entry open, and it stays so.
    const key = wanted === undefined ? undefined : keys[wanted];
    if (key !== undefined) toggle(key, true);
  }, [wanted]);
  const add = () => {
    const entry = blank();
    editor.insert([list], 0, entry);
    editor.want([list, 0, firstField]);
    announce(`A new ${noun} is at the top.`);
  };
  const remove = (index: number) => {
    const entry = editor.draft[list][index];
    const neighbour = keys[index + 1] ?? keys[index - 1];
    editor.remove([list], index);
    announce(`${entryName(entry ?? {})} is removed. It can be brought back until you save.`);
    if (neighbour === undefined) addButton.current?.focus();
    else setNext(neighbour);
  };
  return (
    <Screen
      title={title}
      intro={<p>{intro}</p>}
      actions={
        <button ref={addButton} type="button" class="button" onClick={add}>
          <Icon name="plus" />
          Add a {noun}
        </button>
      }
    >
      {keys.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <LongList
          label={title}
          keys={keys}
          rowHeight={ROW_HEIGHT}
          needed={wanted ?? (heldAt < 0 ? undefined : heldAt)}
          row={(key, index) => (
            <EntryRow
              key={key}
              {...props}
              index={index}
              count={keys.length}
              isOpen={opened.has(key) || wanted === index}
              onToggle={(isOpen) => toggle(key, isOpen)}
              onRemove={() => remove(index)}
              isHeld={held === key}
              onHeld={() => setHeld(key)}
              isNext={next === key}
              onFocused={() => setNext(undefined)}
            />
          )}
        />
      )}
    </Screen>
  );
}

interface RowProps<Entry extends object> extends Props<Entry> {
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly onRemove: () => void;
  /** Whether somebody works on it, so that it is followed to another place. */
  readonly isHeld: boolean;
  readonly onHeld: () => void;
  /** Whether it gets the focus now. */
  readonly isNext: boolean;
  readonly onFocused: () => void;
}

function EntryRow<Entry extends object>(props: RowProps<Entry>) {
  const { list, index, count, isOpen, onToggle, isHeld, isNext, noun } = props;
  const editor = useEditor();
  const path = [list, index];
  const [entry] = useValue<Entry>(path);
  const isTroubled = useObserved(editor.state, ({ problems }) =>
    problems.some((problem) => problem.path[0] === list && problem.path[1] === index),
  );
  const name = props.name(entry) || `Untitled ${noun}`;
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isHeld) return;
    // What had the focus is gone: the button that saves, or a field of this entry in another part of a long list.
    if (document.activeElement === document.body) head.current?.focus({ preventScroll: true });
    const focused = document.activeElement;
    if (head.current?.parentElement?.contains(focused)) focused?.scrollIntoView({ block: "center" });
  }, [index]);
  useEffect(() => {
    if (!isNext) return;
    head.current?.focus();
    props.onFocused();
  }, [isNext]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: chunks stand between the list and its rows.
    <div
      class={isOpen ? "entry open" : "entry"}
      role="listitem"
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocusIn={props.onHeld}
    >
      <button
        ref={head}
        type="button"
        class="entry-head"
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
      >
        <Icon name="open" />
        <span class="entry-words">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span>{props.details(entry)}</span>
        </span>
        {isTroubled && <span class="pill warning">Needs attention</span>}
        {props.isPrivate?.(entry) && (
          <span class="pill private">
            <Icon name="hidden" />
            Only you
          </span>
        )}
      </button>
      {isOpen && (
        <div class="entry-form">
          {props.form(path)}
          <div class="actions">
            <button type="button" class="button danger" onClick={props.onRemove}>
              <Icon name="bin" />
              Remove this {noun}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
