import { useEffect, useMemo, useState } from "preact/hooks";
import { announce } from "../controls/announcer.tsx";
import { FieldNotes, notesOf } from "../controls/field.tsx";
import { useWantedFocus, useWantedIndex } from "../controls/focus.ts";
import { Icon } from "../controls/icon.tsx";
import { LongList } from "../controls/long-list.tsx";
import { Reorder } from "../controls/reorder.tsx";
import { completed, linksIn } from "../editing/addresses.ts";
import type { Link } from "../editing/draft.ts";
import { useEditor, useKeys, useList, useValue } from "../editing/editor.ts";
import { begins, type Path, textOf, valueAt } from "../editing/paths.ts";
import { useObserved } from "../observable.ts";
import { counted, entryName } from "../words.ts";

const ROW_HEIGHT = 108;
const GROUPED_ROW_HEIGHT = 142;
/** From so many links on, looking for one is worth a field of its own. */
const MANY = 20;

/** The links of one tree, in the owner's order. */
export function LinkList({ tree }: { readonly tree: number }) {
  const editor = useEditor();
  const list = ["linkTrees", tree, "links"];
  const keys = useKeys(list);
  const wanted = useWantedIndex(list);
  const [search, setSearch] = useState("");
  const sections = useSections(tree);
  const [isGrouped, setGrouped] = useState(sections.length > 0);
  const isHeadingWanted = useObserved(
    editor.state,
    ({ wanted }) => wanted !== undefined && begins(wanted, list) && wanted.at(-1) === "section",
  );
  useEffect(() => {
    // Whoever is led to a heading finds its field there.
    if (isHeadingWanted) setGrouped(true);
  }, [isHeadingWanted]);
  // What was found stays while it is edited, and called otherwise.
  const places = useMemo(
    () =>
      keys.length > MANY && search !== ""
        ? found(editor.draft.linkTrees[tree]?.links ?? [], search)
        : undefined,
    [keys, search],
  );
  useEffect(() => {
    // Whoever is led to a link sees it, whatever they were looking for before.
    if (wanted !== undefined && !places?.includes(wanted)) setSearch("");
  }, [wanted]);
  const shown = places ?? keys.map((_, index) => index);
  return (
    <section class="links" aria-label="Links">
      <div class="links-head">
        <h2>
          Links <span class="count">{keys.length.toLocaleString("en")}</span>
        </h2>
        {keys.length > 0 && (
          <button
            type="button"
            class="button"
            aria-pressed={isGrouped}
            onClick={() => setGrouped(!isGrouped)}
          >
            Headings
          </button>
        )}
        {keys.length > MANY && (
          <input
            class="input"
            type="search"
            aria-label="Find a link"
            placeholder="Find a link"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
      </div>
      <NewLinks list={list} count={keys.length} onAdded={() => setSearch("")} />
      {keys.length === 0 ? (
        <p class="empty">Paste an address above, and it becomes a link.</p>
      ) : (
        <LongList
          label="Links"
          keys={shown.map((place) => keys[place] ?? "")}
          rowHeight={isGrouped ? GROUPED_ROW_HEIGHT : ROW_HEIGHT}
          needed={wanted === undefined ? undefined : shown.indexOf(wanted)}
          row={(key, row) => (
            <LinkRow
              key={key}
              list={list}
              index={shown[row] ?? row}
              count={keys.length}
              next={besides(shown, row)}
              isSorted={!places}
              isGrouped={isGrouped}
            />
          )}
        />
      )}
      <datalist id={SECTIONS_ID}>
        {sections.map((section) => (
          <option key={section} value={section} />
        ))}
      </datalist>
      {places?.length === 0 && <p class="empty">No link holds “{search}”.</p>}
    </section>
  );
}

/** The place of the link beside a row, once that of the row is gone. */
function besides(shown: readonly number[], row: number): number | undefined {
  const after = shown[row + 1];
  return after === undefined ? shown[row - 1] : after - 1;
}

const SECTIONS_ID = "sections";

/** The headings that links of a tree stand under, each once. */
function useSections(tree: number): readonly string[] {
  return useList(({ linkTrees }) => [
    ...new Set(linkTrees[tree]?.links.flatMap(({ section }) => section || [])),
  ]);
}

/** The places of links whose label or address holds a text. */
function found(links: readonly Link[], text: string): number[] {
  const wanted = text.toLowerCase();
  return links.flatMap(({ label, url }, index) =>
    label.toLowerCase().includes(wanted) || url.toLowerCase().includes(wanted) ? [index] : [],
  );
}

/** The last step of the path by which the field for a new link can be asked for. */
const NEW = "new";

interface NewLinksProps {
  readonly list: Path;
  readonly count: number;
  readonly onAdded: () => void;
}

/** Where addresses are pasted: one makes a link, several lines make as many. */
function NewLinks({ list, count, onAdded }: NewLinksProps) {
  const editor = useEditor();
  const field = useWantedFocus<HTMLInputElement>([...list, NEW]);
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    const links = linksIn(text);
    if (links.length === 0) return;
    // The newest stand on top, where their owner looks.
    editor.insert(list, 0, ...links);
    setTyped("");
    onAdded();
    announce(
      links.length === 1
        ? "A link is added at the top."
        : `${counted(links.length, "link")} are added at the top.`,
    );
    if (links.length === 1) editor.want([...list, 0, "label"]);
  };
  return (
    <form
      class="new-link"
      onSubmit={(event) => {
        event.preventDefault();
        add(typed);
      }}
    >
      <input
        ref={field}
        class="input"
        aria-label={count === 0 ? "Address of the first link" : "Address of a new link"}
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        placeholder="Paste an address"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onPaste={(event) => {
          const text = event.clipboardData?.getData("text") ?? "";
          const { selectionStart, selectionEnd } = event.currentTarget;
          const kept = typed.slice(0, selectionStart ?? 0) + typed.slice(selectionEnd ?? 0);
          const count = linksIn(text).length;
          // One address goes on with what stands there. Several cannot: the field would make one of them.
          if (count === 0 || (count === 1 && kept !== "")) return;
          event.preventDefault();
          add(`${kept}\n${text}`);
        }}
      />
      <button type="submit" class="button" disabled={typed.trim() === ""}>
        <Icon name="plus" />
        Add
      </button>
    </form>
  );
}

interface RowProps {
  readonly list: Path;
  readonly index: number;
  readonly count: number;
  /** The place of the link next to it, once it is removed. */
  readonly next: number | undefined;
  /** Whether all links are there in their order, so that moving one means something. */
  readonly isSorted: boolean;
  /** Whether links have a field for the heading that they stand under. */
  readonly isGrouped: boolean;
}

function LinkRow({ list, index, count, next, isSorted, isGrouped }: RowProps) {
  const editor = useEditor();
  const path = [...list, index];
  const name = () => entryName((valueAt(editor.draft, path) ?? {}) as object);
  const remove = (event: MouseEvent) => {
    const neighbour = event.detail > 0 && binBeside(event.currentTarget as Element);
    announce(`${name()} is removed. It can be brought back until you save.`);
    editor.remove(list, index);
    // A field would open the keyboard of a phone, and move the window under the finger.
    if (neighbour) neighbour.focus({ preventScroll: true });
    else editor.want(next === undefined ? [...list, NEW] : [...list, next, "label"]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: chunks stand between the list and its rows.
    <div class="link-row" role="listitem" data-index={index} aria-setsize={count} aria-posinset={index + 1}>
      {isSorted && <RowOrder list={list} index={index} count={count} />}
      <div class="link-texts">
        <RowText
          path={[...path, "label"]}
          label={`Label of link ${index + 1}`}
          placeholder="Label"
          kind="label"
        />
        <RowText
          path={[...path, "url"]}
          label={`Address of link ${index + 1}`}
          placeholder="https://"
          kind="url"
        />
        {isGrouped && (
          <RowText
            path={[...path, "section"]}
            label={`Heading of link ${index + 1}`}
            placeholder="Heading"
            kind="section"
          />
        )}
      </div>
      <RowHiding path={[...path, "isHidden"]} label={`Hide link ${index + 1}`} />
      <button type="button" class="quiet remove" aria-label={`Remove link ${index + 1}`} onClick={remove}>
        <Icon name="bin" />
      </button>
    </div>
  );
}

/** The button that removes the link beside this one, as far as that is drawn. */
function binBeside(bin: Element): HTMLElement | null | undefined {
  const row = bin.closest(".link-row");
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>(".remove");
}

/** Only this part of a row shows the label twice, and so follows it. */
function RowOrder({ list, index, count }: Pick<RowProps, "list" | "index" | "count">) {
  const [link] = useValue<Link | undefined>([...list, index]);
  return <Reorder list={list} index={index} count={count} name={entryName(link ?? {})} />;
}

/** A hidden link stays in the record, and is shown nowhere. */
function RowHiding({ path, label }: { readonly path: Path; readonly label: string }) {
  const [isHidden = false, edit] = useValue<boolean | undefined>(path);
  return (
    <button
      type="button"
      class="quiet hiding"
      aria-pressed={isHidden}
      aria-label={label}
      title={isHidden ? "Shown nowhere" : "Shown"}
      onClick={() => edit(isHidden ? undefined : true)}
    >
      <Icon name={isHidden ? "unseen" : "shown"} />
    </button>
  );
}

interface RowTextProps {
  readonly path: Path;
  readonly label: string;
  readonly placeholder: string;
  readonly kind: "label" | "url" | "section";
}

function RowText({ path, label, placeholder, kind }: RowTextProps) {
  const id = textOf(path);
  const [value, edit, problem] = useValue<string | undefined>(path);
  const field = useWantedFocus<HTMLInputElement>(path);
  return (
    <>
      <input
        ref={field}
        id={id}
        class={`row-input ${kind}`}
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        list={kind === "section" ? SECTIONS_ID : undefined}
        spellcheck={kind !== "url"}
        inputMode={kind === "url" ? "url" : undefined}
        dir={kind === "url" ? "ltr" : "auto"}
        value={value ?? ""}
        {...notesOf(id, problem)}
        onInput={(event) => {
          const text = event.currentTarget.value;
          edit(kind === "section" && text === "" ? undefined : text);
        }}
        onBlur={(event) => {
          const whole = kind === "url" ? completed(event.currentTarget.value) : event.currentTarget.value;
          if (whole !== event.currentTarget.value) edit(whole);
        }}
      />
      <FieldNotes id={id} problem={problem} />
    </>
  );
}
