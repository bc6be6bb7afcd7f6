import type { ComponentChildren } from "preact";
import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";
import { useWantedFocus } from "./focus.ts";
import { Icon } from "./icon.tsx";

interface SwitchProps {
  readonly path: Path;
  /** What it is where the record leaves it out. The record then says it only where it is otherwise. */
  readonly usual?: boolean;
  /** What else changes with it. */
  readonly also?: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

/** Something of the record that is so or not. */
export function Switch({ path, usual, also, children }: SwitchProps) {
  const [value, edit] = useValue<boolean | undefined>(path);
  const isOn = value ?? usual ?? false;
  const button = useWantedFocus<HTMLButtonElement>(path);
  const toggle = () => {
    edit(!isOn === usual ? undefined : !isOn);
    also?.(!isOn);
  };
  return (
    <button
      ref={button}
      id={textOf(path)}
      type="button"
      role="switch"
      aria-checked={isOn}
      class="switch"
      onClick={toggle}
    >
      <span class="switch-track" />
      <span>{children}</span>
    </button>
  );
}

/** Who may see something. The words change with it, and its name for those who hear it stays. */
export function Visibility({ path, of }: { readonly path: Path; readonly of: string }) {
  const [isPublic, edit] = useValue<boolean>(path);
  const button = useWantedFocus<HTMLButtonElement>(path);
  return (
    <button
      ref={button}
      id={textOf(path)}
      type="button"
      role="switch"
      aria-checked={isPublic}
      aria-label={`Show ${of} to everybody`}
      class={isPublic ? "visibility" : "visibility private"}
      onClick={() => edit(!isPublic)}
    >
      <Icon name={isPublic ? "shown" : "hidden"} />
      <span>{isPublic ? "Public" : "Only you"}</span>
    </button>
  );
}
