import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { type Empty, FieldFrame, notesOf } from "./field.tsx";
import { useWantedFocus } from "./focus.ts";
import { Select } from "./select.tsx";

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
      <Select
        field={field}
        id={id}
        choices={none === undefined ? choices : [["", none], ...choices]}
        // What can be chosen no more, as a job that was removed, is chosen no more.
        value={choices.some(([choice]) => choice === value) ? (value ?? "") : ""}
        {...notesOf(id, problem)}
        onChange={(choice) => edit(choice === "" ? empty : choice)}
      />
    </FieldFrame>
  );
}
