import type { Ref, SelectHTMLAttributes } from "preact";

interface Props
  extends Pick<SelectHTMLAttributes, "id" | "aria-label" | "aria-invalid" | "aria-describedby"> {
  readonly field?: Ref<HTMLSelectElement>;
  /** Values with what they are called. */
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of a few values. */
export function Select({ field = null, choices, value, onChange, ...attributes }: Props) {
  return (
    <select
      {...attributes}
      ref={field}
      class="input"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  );
}
