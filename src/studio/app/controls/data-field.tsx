import type { Draft } from "../editing/draft.ts";
import { useDraft } from "../editing/editor.ts";
import { fieldName } from "../words.ts";
import { TextField, type TextFieldProps } from "./field.tsx";
import { Visibility } from "./switch.tsx";

type DataFieldName = Exclude<keyof Draft["profile"], "isPublic" | "slug" | "updatedAt" | "language">;

interface Props extends Pick<TextFieldProps, "kind" | "placeholder" | "autocomplete" | "hint"> {
  readonly name: DataFieldName;
}

/** A value of the profile, with who may see it beside it. Whatever only the owner sees looks like that. */
export function DataField({ name, ...rest }: Props) {
  const isShown = useDraft(({ profile }) => profile.isPublic && profile[name].isPublic);
  const label = fieldName(name);
  return (
    <TextField
      {...rest}
      path={["profile", name, "value"]}
      label={label}
      empty={null}
      isPrivate={!isShown}
      aside={<Visibility path={["profile", name, "isPublic"]} of={label.toLowerCase()} />}
    />
  );
}
