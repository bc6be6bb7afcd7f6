import { useState } from "preact/hooks";
import { announce } from "../controls/announcer.tsx";
import { TextField } from "../controls/field.tsx";
import { Icon } from "../controls/icon.tsx";
import { PageLink, pageAddress } from "../controls/page-link.tsx";
import { Question } from "../controls/question.tsx";
import { Screen } from "../controls/screen.tsx";
import { useDraft, useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";
import { go, hashOf } from "../routes.ts";
import { LinkList } from "./link-list.tsx";
import { PagePreview } from "./page-preview.tsx";
import { TreeLook } from "./tree-look.tsx";

interface Props {
  readonly id: string;
  readonly publicUrl: string;
  readonly isOperator: boolean;
}

/** One link tree, with its page beside it as it will be. */
export function LinkTreeScreen({ id, publicUrl, isOperator }: Props) {
  const editor = useEditor();
  const index = useDraft(({ linkTrees }) => linkTrees.findIndex((tree) => tree.id === id));
  const title = useDraft(({ linkTrees }) => linkTrees[index]?.title ?? "");
  const slug = useDraft(({ linkTrees }) => linkTrees[index]?.slug ?? "");
  const storedSlug = useObserved(
    editor.state,
    ({ stored }) => stored.linkTrees.find((tree) => tree.id === id && tree.hasPage !== false)?.slug,
  );
  const [side, setSide] = useState<"edit" | "preview">("edit");
  const all = hashOf({ section: "links", user: isOperator ? editor.user : undefined });
  if (index < 0)
    return (
      <Screen title="No such link tree">
        <p>
          It may have been removed. <a href={all}>All link trees</a>
        </p>
      </Screen>
    );
  const path = ["linkTrees", index];
  return (
    <Screen
      title={title || "New link tree"}
      isWide
      intro={
        <p class="crumbs">
          <a href={all}>All link trees</a>
          {storedSlug !== undefined && <PageLink publicUrl={publicUrl} kind="t" slug={storedSlug} />}
        </p>
      }
    >
      <fieldset class="toggles sides" aria-label="What to show">
        {(["edit", "preview"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
            {one === "edit" ? "Edit" : "Preview"}
          </button>
        ))}
      </fieldset>
      <div class={`beside show-${side}`}>
        <div class="beside-edit">
          <section class="card">
            <div class="pair">
              <TextField path={[...path, "title"]} label="Title" />
              <TextField
                path={[...path, "slug"]}
                label="Address"
                hint={pageAddress({ publicUrl, kind: "t", slug })}
                finish={(text) => text.toLowerCase()}
              />
            </div>
            <TextField
              path={[...path, "description"]}
              label="Description"
              kind="long"
              empty={null}
              isOptional
            />
          </section>
          <LinkList tree={index} />
          <TreeLook tree={path} />
          <Removal
            title={title}
            onRemove={() => {
              go({ section: "links", user: isOperator ? editor.user : undefined });
              editor.remove(["linkTrees"], index);
              announce("The link tree is removed. It can be brought back until you save.");
            }}
          />
        </div>
        <PagePreview tree={index} />
      </div>
    </Screen>
  );
}

function Removal({ title, onRemove }: { readonly title: string; readonly onRemove: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <div class="actions">
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          <Icon name="bin" />
          Delete this link tree
        </button>
      </div>
      {isAsking && (
        <Question
          title={`Delete “${title || "Untitled"}”?`}
          yes="Delete"
          no="Keep it"
          onYes={onRemove}
          onClose={() => setAsking(false)}
        >
          Once you save, its page is gone, and links to it lead nowhere. The history keeps its earlier
          versions.
        </Question>
      )}
    </>
  );
}
