import { useState } from "preact/hooks";

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

/** The first letter that can be seen: names that run from right to left often begin with a mark that says so. */
function initialOf(name: string): string | undefined {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return letters.find((letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter))?.toLocaleUpperCase("en");
}
