import { FieldFrame } from "../controls/field.tsx";
import { useWantedFocus } from "../controls/focus.ts";
import { Switch } from "../controls/switch.tsx";
import type { LinkTree } from "../editing/draft.ts";
import { useValue } from "../editing/editor.ts";
import { type Path, textOf } from "../editing/paths.ts";

type Look = NonNullable<LinkTree["look"]>;
type Theme = NonNullable<Look["theme"]>;

/** What each theme is like. The first is what a page is without a choice. */
const THEMES: readonly (readonly [Theme | undefined, name: string, words: string])[] = [
  [undefined, "Usual", "Warm cards"],
  ["paper", "Paper", "Serifs and fine rules"],
  ["ink", "Ink", "Edges and hard shadows"],
  ["plain", "Plain", "Words and nothing else"],
  ["bold", "Bold", "Large and loud"],
  ["night", "Night", "Deep and soft"],
  ["terminal", "Terminal", "Monospaced"],
];

/** The colour that the picker begins with, where none was chosen. */
const FIRST_COLOUR = "#a0522d";

/** How the page of a link tree is set, and whether there is one. */
export function TreeLook({ tree }: { readonly tree: Path }) {
  const path = [...tree, "look"];
  const [look, edit] = useValue<Look | undefined>(path);
  const change = (changed: Look) => {
    const { theme, accent } = { ...look, ...changed };
    const whole = { ...(theme && { theme }), ...(accent && { accent }) };
    edit(theme || accent ? whole : undefined);
  };
  return (
    <section class="card">
      <fieldset class="themes">
        <legend>Look of the page</legend>
        {THEMES.map(([theme, name, words]) => (
          <label key={name} class={`theme theme-${theme ?? "usual"}`}>
            <input
              type="radio"
              name={textOf([...path, "theme"])}
              checked={look?.theme === theme}
              onChange={() => change({ theme } as Look)}
            />
            <span class="theme-sample" aria-hidden="true">
              Aa
            </span>
            <span class="theme-name">{name}</span>
            <span class="theme-words">{words}</span>
          </label>
        ))}
      </fieldset>
      <Accent
        path={[...path, "accent"]}
        accent={look?.accent}
        onChange={(accent) => change({ accent } as Look)}
      />
      <Switch path={[...tree, "hasPage"]} usual>
        Has a public page
      </Switch>
    </section>
  );
}

interface AccentProps {
  readonly path: Path;
  readonly accent: string | undefined;
  readonly onChange: (accent: string | undefined) => void;
}

function Accent({ path, accent, onChange }: AccentProps) {
  const id = textOf(path);
  const field = useWantedFocus<HTMLInputElement>(path);
  const [, , problem] = useValue<string | undefined>(path);
  return (
    <FieldFrame
      id={id}
      label="Colour"
      problem={problem}
      isOptional
      hint="The page takes a shade of it that can be read, in the light and in the dark."
    >
      <div class="actions">
        <input
          ref={field}
          id={id}
          type="color"
          class="colour"
          aria-describedby={`${id}-hint`}
          value={accent ?? FIRST_COLOUR}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {accent === undefined ? (
          <span class="hint">Chosen by the address until you choose one.</span>
        ) : (
          <button type="button" class="button" onClick={() => onChange(undefined)}>
            Leave it to the address
          </button>
        )}
      </div>
    </FieldFrame>
  );
}
