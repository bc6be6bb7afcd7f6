import { pagePath, qrPath } from "../contract/routes.ts";
import { pageOpening, pageRest } from "../html/frame.ts";
import { type Html, html, jsonBlock } from "../html/html.ts";
import { ICONS, type Icon, iconShapes } from "../html/icons/icons.ts";
import { sceneText } from "../html/preview.ts";
import { initialOf, visible } from "../records/letters.ts";
import type { Link, LinkTree } from "../records/record.ts";
import { shownLinks } from "../records/visibility.ts";
import { classesOf, type Look, lettersClass, lookOf, pageIcon } from "./look.ts";
import type { Owner } from "./owner.ts";
import { placeOf } from "./place.ts";
import { directionOf, plain, shortened } from "./texts.ts";

/** What stands beside the links of a wide window is pinned only where it is sure to fit: its texts are at most so high. */
const PINNED_REM = 26;

/** How many letters a line of each text has room for there, and how high it is. */
const NAME_LINE = { letters: 9, rem: 4.4 };
const ROOMY_NAME_LINE = { letters: 9, rem: 5.9 };
const TITLE_LINE = { letters: 34, rem: 1.8 };
const WORDS_LINE = { letters: 40, rem: 1.75 };

/** From this number on links stand beside what they are about, where there is room. Fewer would leave a gap there. */
const MANY_LINKS = 7;

/** A page in two parts: how it opens, and from its title on; and what its preview picture shows. */
export interface PageText {
  readonly opening: string;
  readonly text: string;
  readonly scene: string;
}

/** The page of one tree. A preview of it, which no address leads to yet, has no code to scan. */
export function pageText(tree: LinkTree, owner: Owner, { isPreview = false } = {}): PageText {
  const look = lookOf(tree);
  const title = visible(tree.title) ?? owner.name ?? tree.slug;
  const description = visible(tree.description);
  const icons = new Set<Icon>(owner.addressIcons);
  const shown = shownLinks(tree);
  const links = linkList(shown, tree.slug, owner, icons);
  const isMany = shown.length >= MANY_LINKS;
  const direction = owner.direction ?? directionOf(title);
  const classes = classesOf(look, owner.name, title, description);
  const isRoomy = direction === "rtl" || classes !== look.classes;
  const body = html`${iconShapes(icons)}<main${isMany ? html` class="many"` : undefined}>${header(title, description, owner, isRoomy)}${links}</main>${footer(owner, isPreview ? undefined : tree.slug)}`;
  return {
    opening: pageOpening(owner.language ?? "en", direction),
    text: pageRest(head(title, description, owner, look), classes + lettersClass(owner.name ?? title), body),
    scene: sceneOf(owner.name ?? title, title, owner, look),
  };
}

/** What a preview picture shows: what the head of the page does, and nothing that is not public. */
export function sceneOf(headline: string, title: string, owner: Owner, look: Look): string {
  return sceneText({
    headline: plain(headline),
    title: title === headline ? "" : plain(title),
    initial: owner.initial || initialOf(headline),
    picture: owner.picture ?? "",
    theme: look.theme,
    hue: look.hue,
    strength: look.strength,
  });
}

function head(title: string, description: string | undefined, owner: Owner, look: Look): Html {
  const { name, person } = owner;
  const heading = plain(name && name !== title ? `${title} · ${name}` : title);
  const summary = description ? shortened(plain(description)) : undefined;
  const data =
    person &&
    jsonBlock(
      "application/ld+json",
      `{"@context":"https://schema.org","@type":"ProfilePage","name":${JSON.stringify(heading)},"mainEntity":${person}}`,
    );
  // The server puts the picture itself before this.
  return html`<meta property="og:image:alt" content="${heading}"><title>${heading}</title>${summary && html`<meta name="description" content="${summary}">`}${owner.isPublic ? INDEXED : NOT_INDEXED}<meta property="og:type" content="website"><meta property="og:title" content="${heading}">${summary && html`<meta property="og:description" content="${summary}">`}${look.themeColours}${pageIcon(look, owner.initial || initialOf(title))}${owner.meLinks}${data}`;
}

const INDEXED = html`<meta name="robots" content="index,follow">`;
const NOT_INDEXED = html`<meta name="robots" content="noindex,nofollow">`;

/** The person is the headline, and the title of the tree stands below. Where no name is shown, the title is. */
function header(
  title: string,
  description: string | undefined,
  { name, face, addresses }: Owner,
  isRoomy: boolean,
): Html {
  const isBelow = name !== undefined && name !== title;
  const height =
    heightOf(name ?? title, isRoomy ? ROOMY_NAME_LINE : NAME_LINE) +
    (isBelow ? heightOf(title, TITLE_LINE) : 0) +
    (description ? heightOf(description, WORDS_LINE) : 0);
  const below = isBelow ? html`<p class="title" dir="auto">${title}</p>` : undefined;
  return html`<header${height <= PINNED_REM ? PINNED : undefined}>${face}<h1 dir="auto">${name ?? title}</h1>${below}${description && html`<p class="words" dir="auto">${description}</p>`}${addresses}</header>`;
}

const PINNED = html` class="pin"`;

/** About how high a text is, in rem. */
function heightOf(text: string, { letters, rem }: typeof NAME_LINE): number {
  return rem * Bun.wrapAnsi(text, letters, { hard: true }).split("\n").length;
}

function linkList(
  links: readonly Link[],
  slug: string,
  { words, wordsLanguage }: Owner,
  icons: Set<Icon>,
): Html {
  if (links.length === 0) return html`<p class="empty"${wordsLanguage}>${words.noLinks}</p>`;
  const item = linkItems(slug, icons);
  const list = (some: readonly Link[]) => html`<ul>${some.map(item)}</ul>`;
  if (links.every(({ section }) => section === undefined))
    return html`<nav aria-label="${words.links}">${list(links)}</nav>`;
  const sections = Map.groupBy(links, ({ section }) => visible(section));
  const alone = sections.get(undefined);
  sections.delete(undefined);
  // What stands under no heading would seem to belong to the one before it.
  const listed = Array.from(sections, ([section, some]) => html`<h2 dir="auto">${section}</h2>${list(some)}`);
  return html`<nav aria-label="${words.links}">${alone && list(alone)}${listed}</nav>`;
}

/** What makes the item of a link, and notes the icon that it takes. */
function linkItems(slug: string, icons: Set<Icon>): (link: Link) => Html {
  const start = html`<li><a href="${pagePath(slug)}/`;
  return ({ id, label, url }) => {
    const { name, icon = url.endsWith(".pdf") ? ICONS.document : ICONS.web } = placeOf(url);
    icons.add(icon);
    // A mail without a receiver has no place.
    const shown = visible(label) ?? (name || url);
    const place =
      name === "" || shown === name
        ? undefined
        : html`<small dir="${isAscii(name) ? "ltr" : "auto"}">${name}</small>`;
    // Paper has it in full, since nobody can follow a link there.
    const address = url.startsWith("http") ? html` data-url="${url}"` : undefined;
    return html`${start}${id}" rel="nofollow"${address}>${icon.use}<bdi>${shown}</bdi> ${place}</a>`;
  };
}

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** What else there is: the owner's profile, the contact to keep, and the page's address to scan. */
function footer({ profilePath, words, wordsLanguage }: Owner, slug: string | undefined): Html {
  const profile =
    profilePath &&
    html`<a href="${profilePath}">${words.profile}</a> <a href="${profilePath}.vcf" rel="nofollow">${words.saveContact}</a> `;
  const code =
    slug &&
    html`<details><summary>${words.qrCode}</summary><img src="${qrPath(slug)}" alt="${words.qrCode}" width="192" height="192" loading="lazy"></details>`;
  return html`<footer${wordsLanguage}>${profile}${code}</footer>`;
}
