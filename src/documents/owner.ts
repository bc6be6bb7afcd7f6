import { profilePath } from "../contract/routes.ts";
import type { Direction } from "../html/frame.ts";
import { type Html, html } from "../html/html.ts";
import { ICONS, type Icon, type IconName } from "../html/icons/icons.ts";
import { initialOf, visible } from "../records/letters.ts";
import { NETWORK_FIELDS, type NetworkField } from "../records/networks.ts";
import type { Profile } from "../records/record.ts";
import { shownValue } from "../records/visibility.ts";
import { placeOf } from "./place.ts";
import { directionIn } from "./texts.ts";
import { areForeignWordsIn, type Words, wordsIn } from "./words.ts";

/** What pages show of the one whose they are. It is made once for all pages of a record. */
export interface Owner {
  readonly isPublic: boolean;
  readonly name: string | undefined;
  readonly initial: string;
  readonly picture: string | undefined;
  /** The only origin that pages show a picture from, or nothing. */
  readonly pictureOrigin: string;
  readonly face: Html | undefined;
  /** The addresses which others verify by: links of pages themselves lead through the server. */
  readonly meLinks: readonly Html[];
  /** The same addresses as people see them, and the icons of them. */
  readonly addresses: Html | undefined;
  /** The same as a list that says where each leads. */
  readonly addressItems: readonly Html[];
  readonly addressIcons: readonly Icon[];
  /** A Person of schema.org as JSON, where there is a name. */
  readonly person: string | undefined;
  /** The path of the profile's page, where it has one. */
  readonly profilePath: string | undefined;
  readonly language: string | undefined;
  /** That of the language. Without one, a page has that of its title. */
  readonly direction: Direction | undefined;
  readonly words: Words;
  /** The attribute that says the language of our words where it is not that of the page, so that they are read out well. */
  readonly wordsLanguage: Html | undefined;
}

/** What stands for a kind of network where nobody knows the host. */
const KINDS: Readonly<Record<NetworkField | "url", IconName>> = {
  url: "web",
  codehostUrl: "code",
  socialnetworkUrl: "people",
  microblogUrl: "chat",
  professionalnetworkUrl: "work",
  videoUrl: "video",
};

const ADDRESS_FIELDS = ["url", ...NETWORK_FIELDS] as const;

export function ownerOf(profile: Profile): Owner {
  const name = visible(shownValue(profile.name, profile));
  const initial = name === undefined ? "" : initialOf(name);
  const picture = shownValue(profile.avatarUrl, profile) ?? undefined;
  const addresses = ADDRESS_FIELDS.flatMap((field) => {
    const url = shownValue(profile[field], profile);
    if (url === null) return [];
    const place = placeOf(url);
    return [{ field, url, name: place.name, icon: place.icon ?? ICONS[KINDS[field]] }];
  });
  const { language } = profile;
  return {
    isPublic: profile.isPublic,
    name,
    initial,
    picture,
    pictureOrigin: picture === undefined ? "" : originOf(picture),
    face: face(initial, picture),
    meLinks: addresses.map(({ url }) => html`<link rel="me" href="${url}">`),
    addresses:
      addresses.length === 0
        ? undefined
        : html`<p class="me">${addresses.map(
            ({ url, name, icon }) => html`<a href="${url}" rel="me" title="${name}">${icon.use}</a>`,
          )}</p>`,
    addressItems: profile.isPublic
      ? addresses.map(
          ({ url, name, icon }) =>
            html`<li><a href="${url}" rel="me">${icon.use}<span dir="ltr">${name}</span></a>`,
        )
      : [],
    addressIcons: addresses.map(({ icon }) => icon),
    person: name === undefined ? undefined : personOf(name, picture, addresses),
    profilePath: profile.isPublic ? profilePath(profile.slug) : undefined,
    language,
    direction: language === undefined ? undefined : directionIn(language),
    words: wordsIn(language),
    wordsLanguage: language !== undefined && areForeignWordsIn(language) ? html` lang="en"` : undefined,
  };
}

/** An address whose origin is the first part of it: most are, and need no parser. */
const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z][a-z\d-]*(?=\/)/;

function originOf(url: string): string {
  return PLAIN_ORIGIN.exec(url)?.[0] ?? new URL(url).origin;
}

/** A picture that cannot be loaded leaves the first letter of the name. */
function face(initial: string, picture: string | undefined): Html | undefined {
  if (picture !== undefined)
    return html`<div class="face" aria-hidden="true"><img src="${picture}" alt="" data-initial="${initial}" referrerpolicy="no-referrer"></div>`;
  return initial === "" ? undefined : html`<div class="face" aria-hidden="true">${initial}</div>`;
}

function personOf(
  name: string,
  image: string | undefined,
  addresses: readonly { field: string; url: string }[],
): string {
  const sameAs = addresses.filter(({ field }) => field !== "url").map(({ url }) => url);
  return JSON.stringify({
    "@type": "Person",
    name,
    image,
    url: addresses.find(({ field }) => field === "url")?.url,
    sameAs: sameAs.length === 0 ? undefined : sameAs,
  });
}
