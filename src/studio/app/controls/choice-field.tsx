import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { type Empty, FieldFrame, notesOf } from "./field.tsx";
import { useWantedFocus } from "./focus.ts";

interface Props {
  readonly path: Path;
  readonly label: string;
  /** Values with what they are called. */
  readonly choices: readonly (readonly [string, string])[];
  /** What choosing nothing is called, where that is possible. */
  readonly none?: string;
  readonly empty?: Empty;
}

/** One of a few values of the record. */
export function ChoiceField({ path, label, choices, none, empty = null }: Props) {
  const id = textOf(path);
  const [value, edit, problem] = useValue<string | null | undefined>(path);
  const field = useWantedFocus<HTMLSelectElement>(path);
  return (
    <FieldFrame id={id} label={label} problem={problem} isOptional={none !== undefined}>
      <select
        ref={field}
        id={id}
        class="input"
        value={value ?? ""}
        {...notesOf(id, problem)}
        onChange={(event) => edit(event.currentTarget.value === "" ? empty : event.currentTarget.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
