import { pagePath } from "../contract/routes.ts";
import { pageRest } from "../html/frame.ts";
import { type Html, html } from "../html/html.ts";
import { HUES } from "../html/style.ts";
import type { Link, LinkTree, Profile } from "../records/record.ts";
import { etagOf } from "./etag.ts";

/** The public page of a link tree, from its title on, and what a redirect from it needs. */
export interface Page<Text = string> {
  readonly slug: string;
  readonly treeId: string;
  readonly etag: string;
  /** The only origin that the page shows a picture from, or nothing. */
  readonly pictureOrigin: string;
  /** A JSON object that leads from each link's id to its URL. */
  readonly targets: string;
  readonly html: Text;
}

/** A description is pinned beside the links of a wide screen only where it is sure to fit. */
const PINNED_CHARACTERS = 400;
const SUMMARY_CHARACTERS = 200;

/** Compiles the page of one tree. Pure, like all that is compiled. */
export function compilePage(tree: LinkTree, profile: Profile): Page {
  const owner = shownOwner(profile);
  const title = visible(tree.title) ?? owner.name ?? tree.slug;
  const description = visible(tree.description);
  const text = pageRest({
    head: head(title, description, owner, profile.isPublic),
    bodyClass: `h${hueOf(tree.slug)}`,
    body: html`<main class="tree" dir="${directionOf(title)}">${header(title, description, owner)}${links(tree)}</main>`,
  });
  const targets = tree.links.map(({ id, url }) => `"${id}":${quoted(url)}`);
  const pictureOrigin = owner.picture ? new URL(owner.picture).origin : "";
  return {
    slug: tree.slug,
    treeId: tree.id,
    etag: etagOf(text),
    pictureOrigin,
    targets: `{${targets}}`,
    html: text,
  };
}

/** An URL has no white space and no control characters, so these two are all that JSON would change. */
function quoted(url: string): string {
  return /["\\]/.test(url) ? JSON.stringify(url) : `"${url}"`;
}

interface Owner {
  readonly name: string | undefined;
  readonly picture: string | undefined;
}

/** What may be shown of the owner: what is marked public, in a profile that is. */
function shownOwner({ isPublic, name, avatarUrl }: Profile): Owner {
  return {
    name: isPublic && name.isPublic ? visible(name.value) : undefined,
    picture: isPublic && avatarUrl.isPublic ? (avatarUrl.value ?? undefined) : undefined,
  };
}

function head(title: string, description: string | undefined, owner: Owner, isPublic: boolean): Html {
  const heading = plain(owner.name && owner.name !== title ? `${title} · ${owner.name}` : title);
  const summary = description ? shortened(plain(description)) : undefined;
  return html`<title>${heading}</title>${summary && html`<meta name="description" content="${summary}">`}<meta name="robots" content="${isPublic ? "index,follow" : "noindex,nofollow"}"><meta property="og:type" content="website"><meta property="og:title" content="${heading}">${summary && html`<meta property="og:description" content="${summary}">`}${owner.picture && html`<meta property="og:image" content="${owner.picture}">`}<meta name="twitter:card" content="summary">`;
}

function header(title: string, description: string | undefined, owner: Owner): Html {
  const pinned = (description?.length ?? 0) <= PINNED_CHARACTERS;
  const named = owner.name !== undefined && owner.name !== title;
  return html`<header${pinned ? html` class="pin"` : undefined}>${face(owner)}${named ? html`<p class="name" dir="auto">${owner.name}</p>` : undefined}<h1 dir="auto">${title}</h1>${description && html`<p class="words" dir="auto">${description}</p>`}</header>`;
}

/** The picture lies over the first letter of the name, which shows where the picture does not. */
function face({ name, picture }: Owner): Html | undefined {
  if (!name && !picture) return undefined;
  const image =
    picture && html`<img src="${picture}" alt="" width="104" height="104" referrerpolicy="no-referrer">`;
  return html`<div class="face" aria-hidden="true">${initialOf(name ?? "")}${image}</div>`;
}

function links({ slug, links }: LinkTree): Html {
  if (links.length === 0) return html`<p class="empty">There are no links here yet.</p>`;
  const path = pagePath(slug);
  const items = links.map((link) => {
    const place = placeOf(link);
    const label = visible(link.label) ?? place;
    return html`<li><a href="${path}/${link.id}" rel="nofollow"><bdi>${label}</bdi> ${label === place ? undefined : html`<small dir="ltr">${place}</small>`}</a>`;
  });
  return html`<nav aria-label="Links"><ul>${items}</ul></nav>`;
}

/** An address whose host is written as it is read: most are, and need no parser. */
const PLAIN_ADDRESS = /^https?:\/\/((?:[a-z\d-]+\.)+[a-z][a-z\d-]*)(?:[/?#]|$)/;

/** Where a link leads, in as few words as tell it: a host, a mail address, a telephone number. */
function placeOf({ url }: Link): string {
  const host = PLAIN_ADDRESS.exec(url)?.[1] ?? hostOf(url);
  return host === undefined ? decoded(new URL(url).pathname) : host.replace(/^www\.(?=.+\.)/, "");
}

function hostOf(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? hostname : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text in which there is something to see, or nothing: white space and invisible marks name no link. */
function visible(text: string | null): string | undefined {
  return text !== null && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text.trim() : undefined;
}

/** For places that cannot isolate a text from what follows it: no marks that turn its direction. */
function plain(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "").replace(/\s+/g, " ");
}

function shortened(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS) return text;
  const characters = [...text];
  if (characters.length <= SUMMARY_CHARACTERS) return text;
  return `${characters
    .slice(0, SUMMARY_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

const graphemes = new Intl.Segmenter();

function initialOf(name: string): string {
  // Nothing of ASCII belongs to the letter before it, and finding out where a letter ends is slow.
  if (/^[ -~]{2}/.test(name)) return name.charAt(0).toUpperCase();
  const [first] = graphemes.segment(name);
  return first?.segment.toLocaleUpperCase("en") ?? "";
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The side from which the page is laid out: that of the first letter of its title. */
function directionOf(title: string): "ltr" | "rtl" {
  const letter = /\p{L}/u.exec(title)?.[0] ?? "";
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/** Each tree has a colour of its own, which stays when the tree changes. */
function hueOf(slug: string): number {
  return Bun.hash.crc32(slug) % HUES;
}
