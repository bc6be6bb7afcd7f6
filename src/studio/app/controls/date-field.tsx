import { useRef } from "preact/hooks";
import { plainDigits } from "../../../records/telephone.ts";
import { type DateParts, instantOf, partsOf } from "../editing/dates.ts";
import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { type Empty, FieldNotes, notesOf } from "./field.tsx";
import { useWantedFocus } from "./focus.ts";
import { Select } from "./select.tsx";

const month = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const number = String(index + 1).padStart(2, "0");
  return [number, month.format(new Date(Date.UTC(2000, index)))] as const;
});

interface Props {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly empty?: Empty;
}

/** A date by day or by month: who does not know the day leaves it out. */
export function DateField({ path, label, hint, isOptional, empty }: Props) {
  const id = textOf(path);
  const [value, edit, problem] = useValue<string | null | undefined>(path);
  const year = useWantedFocus<HTMLInputElement>(path);
  // What is being typed is no date yet, and what is stored does not say whether there was a day.
  const typed = useRef<{ readonly value: string | null | undefined; readonly parts: DateParts }>(undefined);
  if (typed.current === undefined || typed.current.value !== value)
    typed.current = { value, parts: partsOf(value) };
  const { parts } = typed.current;
  const set = (change: Partial<DateParts>) => {
    const changed = { ...parts, ...change };
    const instant = instantOf(changed) ?? empty;
    typed.current = { value: instant, parts: changed };
    edit(instant);
  };
  return (
    <fieldset class="field">
      <legend class="field-head">
        {label}
        {isOptional && <span class="optional">optional</span>}
      </legend>
      <div class="date-parts">
        <input
          ref={year}
          id={id}
          class="input"
          aria-label={`${label}: year`}
          inputMode="numeric"
          maxLength={4}
          placeholder="Year"
          autocomplete="off"
          value={parts.year}
          {...notesOf(id, problem, hint)}
          onInput={(event) => set({ year: digitsIn(event.currentTarget.value) })}
        />
        <Select
          aria-label={`${label}: month`}
          choices={[["", "Month"], ...MONTHS]}
          value={parts.month}
          onChange={(month) => set({ month })}
        />
        <input
          class="input"
          aria-label={`${label}: day`}
          inputMode="numeric"
          maxLength={2}
          placeholder="Day"
          autocomplete="off"
          value={parts.day}
          onInput={(event) => set({ day: digitsIn(event.currentTarget.value) })}
        />
      </div>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}

function digitsIn(text: string): string {
  return plainDigits(text).replace(/\D/g, "");
}
