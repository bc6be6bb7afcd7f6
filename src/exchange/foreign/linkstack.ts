import { BOUNDS } from "../../contract/texts.ts";
import { type Choices, type Converted, Draft, isObject, objectsOf } from "./draft.ts";
import { NotInFormat } from "./errors.ts";
import { textOfHtml } from "./html-text.ts";

export function isLinkStack(value: unknown): boolean {
  return (
    isObject(value) &&
    Array.isArray(value.links) &&
    ("littlelink_name" in value || objectsOf(value.links).some((link) => "button_id" in link))
  );
}

/** The export of a LinkStack page: the user, and the links in their order. */
export async function fromLinkStack(value: unknown, choices: Choices): Promise<Converted> {
  if (!isLinkStack(value) || !isObject(value)) throw new NotInFormat("the file is no export of LinkStack");
  const draft = new Draft(choices);
  const name = draft.text(value.name, BOUNDS.title, "name");
  draft.set("name", name);
  draft.picture(value.image_data, "image_data");
  const links = objectsOf(value.links).toSorted(
    (one, other) => Number(one.order ?? 0) - Number(other.order ?? 0),
  );
  for (const [index, link] of links.entries()) {
    const place = `link ${index + 1}`;
    const title = typeof link.title === "string" ? await textOfHtml(link.title) : undefined;
    if (link.link) draft.link(title, link.link, place);
    else if (link.type === "heading") draft.heading(title, place);
    else draft.leave(`${place}: ${JSON.stringify(title ?? link.type ?? "")} leads nowhere`);
  }
  const description = value.littlelink_description;
  const words = typeof description === "string" ? await textOfHtml(description) : undefined;
  return draft.finish({
    email: typeof value.email === "string" ? value.email : undefined,
    slug: typeof value.littlelink_name === "string" ? value.littlelink_name : undefined,
    treeTitle: name,
    treeDescription: draft.text(words || undefined, BOUNDS.description, "littlelink_description"),
  });
}
