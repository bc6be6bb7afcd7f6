import { useState } from "preact/hooks";
import { useEditor, useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { useObserved } from "../observable.ts";
import { sentence } from "../words.ts";
import { announce } from "./announcer.tsx";
import { FieldFrame, notesOf } from "./field.tsx";
import { useWantedFocus } from "./focus.ts";
import { Icon } from "./icon.tsx";

/** What stands between words: a comma, that of Arabic as well, or the end of a line. */
const BETWEEN = /[,،\n]/;

/** Words in the owner's order, each set off from the others: Enter or a comma ends one. */
export function TagsField({ path, label }: { readonly path: Path; readonly label: string }) {
  const id = textOf(path);
  const editor = useEditor();
  const [tags, edit] = useValue<readonly string[]>(path);
  const [typed, setTyped] = useState("");
  const field = useWantedFocus<HTMLInputElement>(path);
  const problem = useObserved(editor.state, ({ problems }) => {
    const found = problems.find((one) => textOf(one.path.slice(0, path.length)) === id);
    const tag = found && tags[Number(found.path[path.length])];
    return found && (tag === undefined ? sentence(found.message) : `“${tag}” ${found.message}.`);
  });
  const add = (text: string) => {
    const added = text
      .split(BETWEEN)
      .map((tag) => tag.trim())
      .filter((tag, index, all) => tag !== "" && !tags.includes(tag) && all.indexOf(tag) === index);
    setTyped("");
    if (added.length === 0) return;
    edit([...tags, ...added]);
    announce(`${added.join(", ")} added.`);
  };
  const remove = (index: number) => {
    announce(`${tags[index]} removed.`);
    edit(tags.toSpliced(index, 1));
    field.current?.focus();
  };
  return (
    <FieldFrame id={id} label={label} problem={problem} hint="Enter or a comma adds a word." isOptional>
      <div class="input tags">
        {tags.map((tag, index) => (
          <span key={tag} class="tag">
            <bdi>{tag}</bdi>
            <button type="button" aria-label={`Remove ${tag}`} onClick={() => remove(index)}>
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={field}
          id={id}
          dir="auto"
          value={typed}
          autocomplete="off"
          {...notesOf(id, problem, true)}
          onInput={(event) => {
            const text = event.currentTarget.value;
            if (BETWEEN.test(text)) add(text);
            else setTyped(text);
          }}
          onKeyDown={(event) => {
            // While a word is composed, as in Japanese, Enter chooses its letters.
            if (event.isComposing) return;
            if (event.key === "Enter") {
              event.preventDefault();
              add(typed);
            } else if (event.key === "Backspace" && typed === "" && tags.length > 0) remove(tags.length - 1);
          }}
          onPaste={(event) => {
            const text = event.clipboardData?.getData("text") ?? "";
            // A field of one line makes one word of them all.
            if (!text.trim().includes("\n")) return;
            event.preventDefault();
            add(`${typed}\n${text}`);
          }}
          onBlur={() => add(typed)}
        />
      </div>
    </FieldFrame>
  );
}
