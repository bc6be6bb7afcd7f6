import { useState } from "preact/hooks";
import { initialOf } from "../../../records/letters.ts";

/** A person's picture, over the first letter of the name, which shows where the picture does not. */
export function Face({ name, picture }: { readonly name: string; readonly picture: string | null }) {
  const [broken, setBroken] = useState<string>();
  return (
    <span class="face" aria-hidden="true">
      {initialOf(name)}
      {picture && picture !== broken && (
        <img src={picture} alt="" referrerpolicy="no-referrer" onError={() => setBroken(picture)} />
      )}
    </span>
  );
}
