import { BOUNDS } from "../../contract/texts.ts";
import { NETWORK_FIELDS } from "../../records/networks.ts";
import { type Choices, type Converted, Draft, isObject, objectsOf } from "./draft.ts";
import { NotInFormat } from "./errors.ts";
import { contentOf, type PageContent } from "./html-text.ts";

type Values = Readonly<Record<string, unknown>>;

/** A saved page of Linktree: by the JSON that it carries, or by its plain links, as any HTML page has them. */
export async function fromLinktree(html: string, choices: Choices): Promise<Converted> {
  const content = await contentOf(html);
  const draft = new Draft(choices);
  const account = accountOf(content.data);
  const converted = account ? fromAccount(account, draft) : fromLinks(content, draft);
  if (!draft.hasLinks && !NETWORK_FIELDS.some((field) => draft.has(field)))
    throw new NotInFormat("the page has no link that leads anywhere");
  return converted;
}

function accountOf(data: string): Values | undefined {
  try {
    const { props } = JSON.parse(data) as { props?: { pageProps?: Values } };
    const page = props?.pageProps;
    const account = isObject(page?.account) ? page.account : undefined;
    if (!account) return undefined;
    // What an account has stands within it, or beside it.
    const [links, socialLinks] = [account.links ?? page?.links, account.socialLinks ?? page?.socialLinks];
    return { ...account, links, socialLinks };
  } catch {
    return undefined;
  }
}

function fromAccount(account: Values, draft: Draft): Converted {
  const title = draft.text(account.pageTitle, BOUNDS.title, "pageTitle");
  const description = draft.text(account.description || undefined, BOUNDS.description, "description");
  draft.set("avatarUrl", draft.webUrl(account.profilePictureUrl || undefined, "profilePictureUrl"));
  const links = objectsOf(account.links).toSorted(
    (one, other) => Number(one.position ?? 0) - Number(other.position ?? 0),
  );
  for (const [index, { title, url, type }] of links.entries()) {
    const place = `link ${index + 1}`;
    const label = typeof title === "string" ? title.trim() : undefined;
    if (url) draft.link(label, url, place);
    else if (type === "HEADER") draft.heading(label, place);
    else draft.leave(`${place}: ${JSON.stringify(label ?? "")} leads nowhere`);
  }
  draft.endHeading();
  for (const [index, { type, url }] of objectsOf(account.socialLinks).entries()) {
    const name = typeof type === "string" ? type.toLowerCase().replaceAll("_", " ") : undefined;
    draft.network(name, url, `social link ${index + 1}`);
  }
  return draft.finish({
    slug: typeof account.username === "string" ? account.username : undefined,
    treeTitle: title,
    treeDescription: description,
  });
}

/** What leads within the page, or to what its saver alone has. An address without a scheme leads within the site. */
const WITHIN = /^(?:about|blob|data|file|javascript):/i;

function fromLinks({ title, links }: PageContent, draft: Draft): Converted {
  for (const [index, { words, url }] of links.entries()) {
    const address = url.replace(/^\/\//, "https://");
    if (/^[a-z][a-z\d+.-]*:/i.test(address) && !WITHIN.test(address))
      draft.link(words, address, `link ${index + 1}`);
  }
  return draft.finish({ slug: title, treeTitle: draft.text(title, BOUNDS.title, "title") });
}
