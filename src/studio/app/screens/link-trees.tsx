import { Icon } from "../controls/icon.tsx";
import { pageAddress } from "../controls/page-link.tsx";
import { Screen } from "../controls/screen.tsx";
import { treeSlugFor } from "../editing/addresses.ts";
import { type Draft, type LinkTree, newId } from "../editing/draft.ts";
import { useDraft, useEditor } from "../editing/editor.ts";
import { go, hashOf } from "../routes.ts";
import { counted } from "../words.ts";

interface Props {
  readonly publicUrl: string;
  readonly isOperator: boolean;
}

export function LinkTreesScreen({ publicUrl, isOperator }: Props) {
  const editor = useEditor();
  const trees = useDraft((draft) => draft.linkTrees);
  const user = isOperator ? editor.user : undefined;
  const add = () => {
    const tree = blankTree(editor.draft);
    editor.insert(["linkTrees"], trees.length, tree);
    editor.want(["linkTrees", trees.length, "title"]);
    go({ section: "links", user, item: tree.id });
  };
  return (
    <Screen
      title="Link trees"
      intro={<p>Pages of links, each with an address of its own that you can put anywhere.</p>}
      actions={
        <button type="button" class="button" onClick={add}>
          <Icon name="plus" />
          New link tree
        </button>
      }
    >
      {trees.length === 0 ? (
        <p class="empty">You have no link tree yet. A new one takes a title and an address or two.</p>
      ) : (
        <ul class="items">
          {trees.map((tree) => (
            <li key={tree.id} class="card tree">
              <a class="tree-link" href={hashOf({ section: "links", user, item: tree.id })}>
                <strong>
                  <bdi>{tree.title || "Untitled"}</bdi>
                </strong>
                <span>{pageAddress({ publicUrl, kind: "t", slug: tree.slug })}</span>
              </a>
              <span class="pill">{counted(tree.links.length, "link")}</span>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}

function blankTree({ profile }: Draft): LinkTree {
  const blank = { id: newId(), title: "", description: null, slug: treeSlugFor(profile), links: [] };
  // What the server sets is not there yet.
  return blank as unknown as LinkTree;
}
