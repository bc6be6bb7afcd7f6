interface Props<Value extends string> {
  /** Every value that can be chosen, with what it is called. */
  readonly names: Readonly<Record<Value, string>>;
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: Value[]) => void;
}

/** Any number of a few values. */
export function Checks<Value extends string>({ names, chosen, onChange }: Props<Value>) {
  return (
    <>
      {(Object.keys(names) as Value[]).map((one) => (
        <label key={one} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={(event) => {
              const others = chosen.filter((other) => other !== one);
              onChange(event.currentTarget.checked ? [...others, one] : others);
            }}
          />
          {names[one]}
        </label>
      ))}
    </>
  );
}
