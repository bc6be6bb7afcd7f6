import type { ComponentChildren } from "preact";
import { completedWeb } from "../editing/addresses.ts";
import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { useWantedFocus } from "./focus.ts";

/** What a field holds when nothing is in it: an optional one is null or left out altogether. */
export type Empty = "" | null | undefined;

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
  /** Beside the label, such as a switch. */
  readonly aside?: ComponentChildren;
  readonly isOptional?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A label, what belongs to it, and below it what helps or is wrong. */
export function FieldFrame({ id, label, hint, problem, aside, isOptional, children }: FrameProps) {
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {isOptional && <span class="optional">optional</span>}
        {aside}
      </div>
      {children}
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

export function FieldNotes({ id, hint, problem }: Pick<FrameProps, "id" | "hint" | "problem">) {
  return (
    <>
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** The attributes by which an input is tied to what stands below it. */
export function notesOf(id: string, problem: string | undefined, hint?: ComponentChildren) {
  const notes = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return {
    "aria-invalid": problem ? ("true" as const) : undefined,
    "aria-describedby": notes === "" ? undefined : notes,
  };
}

export interface TextFieldProps {
  readonly path: Path;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly isOptional?: boolean;
  readonly empty?: Empty;
  readonly kind?: "text" | "web" | "tel" | "email" | "long";
  readonly placeholder?: string;
  /** Whether only the owner sees it: it then looks like that. */
  readonly isPrivate?: boolean;
  readonly autocomplete?: string;
  /** What becomes of a text once its field is left. While somebody types, the cursor would go to its end. */
  readonly finish?: (text: string) => string;
  /** Whether it is only to be read here. */
  readonly isFixed?: boolean;
}

/** Which keyboard a phone shows. The types of inputs would check by rules of their own. */
const KEYBOARDS = { text: "text", web: "url", tel: "tel", email: "email" } as const;

/** A text of the record, in one line or several. */
export function TextField(props: TextFieldProps) {
  const { path, label, hint, kind = "text", empty = "", isPrivate } = props;
  const finish = kind === "web" ? completedWeb : props.finish;
  const id = textOf(path);
  const [value, edit, problem] = useValue<string | null | undefined>(path);
  const field = useWantedFocus<HTMLInputElement & HTMLTextAreaElement>(path);
  const set = (text: string) => edit(text === "" ? empty : text);
  const shared = {
    id,
    ref: field,
    value: value ?? "",
    class: isPrivate ? "input private" : "input",
    placeholder: props.placeholder,
    readOnly: props.isFixed,
    // Words run as their first letter does. Addresses and numbers never run from right to left.
    dir: kind === "text" || kind === "long" ? ("auto" as const) : ("ltr" as const),
    ...notesOf(id, problem, hint),
  };
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={hint}
      problem={problem}
      aside={props.aside}
      isOptional={props.isOptional}
    >
      {kind === "long" ? (
        <textarea {...shared} rows={4} onInput={(event) => set(event.currentTarget.value)} />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={KEYBOARDS[kind]}
          autocomplete={props.autocomplete ?? "off"}
          spellcheck={kind === "text"}
          onInput={(event) => set(event.currentTarget.value)}
          onBlur={(event) => {
            const text = event.currentTarget.value;
            const whole = finish?.(text) ?? text;
            if (whole !== text) set(whole);
          }}
        />
      )}
    </FieldFrame>
  );
}
