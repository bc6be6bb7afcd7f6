import { useEffect, useRef, useState } from "preact/hooks";
import { useAnswer, useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { Refused } from "../controls/asked.tsx";
import { pageAddress } from "../controls/page-link.tsx";
import { Screen } from "../controls/screen.tsx";
import { useNear } from "../controls/use-near.ts";
import type { LinkTree } from "../editing/draft.ts";
import { useEditor } from "../editing/editor.ts";
import { saveFile } from "../files.ts";
import { useObserved } from "../observable.ts";

interface Props {
  readonly user: string;
  readonly publicUrl: string;
}

/** A QR code for the page of each tree that is saved: what is only being edited has no page yet. */
export function CodesScreen({ user, publicUrl }: Props) {
  const trees = useObserved(useEditor().state, ({ stored }) => stored.linkTrees);
  return (
    <Screen
      title="QR codes"
      intro={
        <p>For cards, posters and slides. Each leads to the page of a link tree, and scans in any size.</p>
      }
    >
      {trees.length === 0 ? (
        <p class="empty">There is no link tree yet.</p>
      ) : (
        <ul class="codes">
          {trees.map((tree) => (
            <Code key={tree.id} user={user} publicUrl={publicUrl} tree={tree} />
          ))}
        </ul>
      )}
    </Screen>
  );
}

function Code({ user, publicUrl, tree }: Props & { readonly tree: LinkTree }) {
  const { slug } = tree;
  const address = pageAddress({ publicUrl, kind: "t", slug });
  const card = useRef<HTMLLIElement>(null);
  const isNear = useNear(card);
  const { isBusy, refusal: failure, run } = useDoing();
  const download = (format: "svg" | "png") =>
    run(async () =>
      saveFile(await call("drawQrCode", { user, slug, query: { format } }), `${slug}.${format}`),
    );
  return (
    <li ref={card} class="card code">
      <div class="code-picture">
        {/* All at once would be more requests than are let in where there are hundreds. */}
        {isNear && <Picture user={user} slug={slug} alt={`QR code of ${address}`} />}
      </div>
      <h2>{tree.title || "Untitled"}</h2>
      <p class="hint">{address}</p>
      {tree.hasPage === false && (
        <p class="note warning">This link tree has no public page: the code leads nowhere.</p>
      )}
      <Refused refusal={failure} />
      <div class="actions">
        {(["svg", "png"] as const).map((format) => (
          <button
            key={format}
            type="button"
            class="button"
            aria-disabled={isBusy}
            aria-label={`Download the code of ${tree.title || slug} as ${format.toUpperCase()}`}
            onClick={() => void download(format)}
          >
            {format.toUpperCase()}
          </button>
        ))}
      </div>
    </li>
  );
}

interface PictureProps {
  readonly user: string;
  readonly slug: string;
  readonly alt: string;
}

function Picture({ user, slug, alt }: PictureProps) {
  const { answer, refusal, again } = useAnswer(
    () => call("drawQrCode", { user, slug, query: { format: "svg" } }),
    [user, slug],
  );
  const picture = useObjectUrl(answer);
  return (
    <>
      {picture && <img src={picture} alt={alt} />}
      <Refused refusal={refusal} again={again} />
    </>
  );
}

/** An address for a file that came with a header, which a picture's own request would not have. */
function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
