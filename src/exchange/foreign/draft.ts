import { linkUrl, type STUDY_LEVELS, webUrl } from "../../contract/fields.ts";
import { picturePath } from "../../contract/pictures.ts";
import { BOUNDS } from "../../contract/texts.ts";
import { toUtcTimestamp } from "../../records/dates.ts";
import { networkField } from "../../records/networks.ts";
import { slugFrom } from "../../records/slugs.ts";
import { MAX_PICTURE_BYTES, type NewPicture, pictureIn } from "../../store/pictures.ts";
import { dateIn } from "./dates.ts";
import { NoEmail } from "./errors.ts";

/** What is asked of whoever brings a file: what it does not say, and who may see what it does. */
export interface Choices {
  readonly email?: string | undefined;
  readonly slug?: string | undefined;
  readonly isPublic: boolean;
  /** Where pictures are shown. Absent where none can be stored. */
  readonly publicUrl?: string | undefined;
  readonly now: number;
}

/** A record made from a file of another program, not checked yet, and what of the file is not in it. */
export interface Converted {
  readonly record: Readonly<Record<string, unknown>>;
  /** The picture that the file carries. The record has its address if it can be stored. */
  readonly picture?: NewPicture | undefined;
  readonly leftOut: readonly string[];
}

/** What is written in place of an end that has not come. */
const ONGOING = /^(?:|present|now|current(?:ly)?|ongoing|today)$/i;

/** A value, and where in its file it stands. */
type Placed = readonly [value: unknown, place: string];

interface Period {
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly isCurrent: boolean;
}

interface Link {
  readonly label: string;
  readonly url: string;
  readonly section?: string | undefined;
}

/**
 * A record in the making. Each value is taken as far as a record can hold it. Nothing is made up: what is unusable is
 * left out, and told.
 */
export class Draft {
  readonly leftOut: string[] = [];
  readonly #choices: Choices;
  readonly #values: Record<string, string> = {};
  /** Links by all that they say, so that none is looked for among the others. */
  readonly #links = new Map<string, Link>();
  /** Where the headings stand in the file, and the one that links stand under now. */
  readonly #headings = new Map<string, string>();
  #heading: string | undefined;
  #picture: NewPicture | undefined;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  leave(what: string): void {
    this.leftOut.push(what);
  }

  get isPublic(): boolean {
    return this.#choices.isPublic;
  }

  /** Sets a value of the profile, unless it is set already. */
  set(field: string, value: string | undefined): void {
    if (value !== undefined && this.#values[field] === undefined) this.#values[field] = value;
  }

  has(field: string): boolean {
    return this.#values[field] !== undefined;
  }

  get hasLinks(): boolean {
    return this.#links.size > 0;
  }

  /** Takes a picture that is in the file itself, in base64 or as a data URL. */
  picture(value: unknown, place: string): void {
    if (value === undefined || value === null || value === "") return;
    const text = typeof value === "string" ? value.replace(/^data:[^,]*,/, "") : "";
    const bytes = Buffer.from(text, "base64");
    const picture = pictureIn(bytes);
    if (!picture) this.leave(`${place}: is no JPEG, PNG or WebP picture`);
    else if (bytes.length > MAX_PICTURE_BYTES) this.leave(`${place}: the picture has more than 256 KB`);
    else {
      this.#picture = picture;
      const { publicUrl } = this.#choices;
      if (publicUrl !== undefined) this.set("avatarUrl", publicUrl + picturePath(picture));
    }
  }

  /** Puts the links that follow under a heading. */
  heading(words: unknown, place: string): void {
    this.#heading = this.text(words, BOUNDS.section, place) || undefined;
    if (this.#heading !== undefined) this.#headings.set(this.#heading, place);
  }

  /** Puts the links that follow under none. */
  endHeading(): void {
    this.#heading = undefined;
  }

  /** Adds an address to the link tree, unless it is there already under the same label. */
  link(label: string | undefined, url: unknown, place: string): void {
    const address = this.linkUrl(url, place);
    if (address === undefined) return;
    const words = this.text(label, BOUNDS.title, place) ?? "";
    const link: Link = set({ label: words, url: address, section: this.#heading });
    this.#links.set(JSON.stringify(link), link);
  }

  /** An address at somebody else's: in the profile where that has a place for it, else in the link tree. */
  network(name: string | undefined, url: unknown, place: string): void {
    const address = this.linkUrl(url, place);
    if (address === undefined) return;
    const field = /^(?:mailto|tel):/i.test(address) ? undefined : networkField(name, address);
    if (field && !this.has(field)) this.set(field, address);
    else this.link(name, address, place);
  }

  /** Text within its bound. */
  text(value: unknown, bound: number, place: string): string | undefined {
    const whole = this.#wholeText(value, place);
    if (whole === undefined) return undefined;
    const characters = [...whole];
    if (characters.length <= bound) return whole;
    this.leave(`${place}: what is beyond ${bound} characters`);
    return characters.slice(0, bound).join("").toWellFormed();
  }

  #wholeText(value: unknown, place: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" || typeof value === "number")
      return String(value).replaceAll("\0", "").toWellFormed().replaceAll("\r\n", "\n").trim();
    this.leave(`${place}: is no text`);
    return undefined;
  }

  list(values: unknown, place: string): string[] {
    if (!Array.isArray(values)) {
      if (values !== undefined) this.leave(`${place}: ${JSON.stringify(values)} is no list`);
      return [];
    }
    const texts = values.flatMap(
      (value, index) => this.text(value, BOUNDS.technology, `${place}[${index}]`) || [],
    );
    if (texts.length > BOUNDS.technologies)
      this.leave(`${place}: what is beyond ${BOUNDS.technologies} entries`);
    return texts.slice(0, BOUNDS.technologies);
  }

  webUrl(value: unknown, place: string): string | undefined {
    return this.#url(value, place, webUrl);
  }

  linkUrl(value: unknown, place: string): string | undefined {
    return this.#url(value, place, linkUrl);
  }

  #url(value: unknown, place: string, rule: typeof webUrl): string | undefined {
    const text = this.#wholeText(value, place);
    if (!text) return undefined;
    // Many write a host alone, or a space, which browsers escape.
    const scheme = /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(text) ? "https://" : "";
    const address = scheme + text.replaceAll(" ", "%20");
    // One that is cut would lead elsewhere.
    if ([...address].length > BOUNDS.url) {
      this.leave(`${place}: the address has more than ${BOUNDS.url} characters`);
      return undefined;
    }
    if (rule.safeParse(address).success) return address;
    this.leave(`${place}: ${JSON.stringify(text)} is no address that a record can have`);
    return undefined;
  }

  /** A date in one of the ways in which people and programs write them. */
  date(value: unknown, place: string): string | undefined {
    if (value === undefined || value === null || value === "") return undefined;
    const text = String(value).trim();
    const date = dateIn(text);
    if (date === undefined && !ONGOING.test(text))
      this.leave(`${place}: ${JSON.stringify(text)} is no date that can be read`);
    return date;
  }

  /** When something began and ended. It goes on if it has begun and names no end, or one that is still to come. */
  period([start, startPlace]: Placed, [end, endPlace]: Placed): Period {
    const startDate = this.date(start, startPlace);
    const endDate = this.date(end, endPlace);
    const isOpen = end === undefined || end === null || ONGOING.test(String(end).trim());
    const isToCome = endDate !== undefined && Date.parse(toUtcTimestamp(endDate) ?? "") > this.#choices.now;
    return { startDate, endDate, isCurrent: startDate !== undefined && (isOpen || isToCome) };
  }

  /** The record. A slug is made from the name, unless one was chosen. */
  finish(lists: {
    readonly email?: string | undefined;
    readonly slug?: string | undefined;
    readonly jobs?: readonly object[];
    readonly projects?: readonly object[];
    readonly education?: readonly object[];
    readonly treeTitle?: string | undefined;
    readonly treeDescription?: string | undefined;
  }): Converted {
    const email = this.#choices.email ?? lists.email?.trim();
    if (email === undefined) throw new NoEmail();
    const slug =
      this.#choices.slug ?? slugFrom(lists.slug ?? this.#values.name ?? "") ?? slugFrom(email) ?? "me";
    const { isPublic } = this;
    const links = [...this.#links.values()];
    const sections = new Set(links.map(({ section }) => section));
    for (const [heading, place] of this.#headings)
      if (!sections.has(heading)) this.leave(`${place}: ${JSON.stringify(heading)} has no links below it`);
    const values = Object.entries(this.#values).map(([field, value]) => [field, { isPublic, value }]);
    const { jobs = [], projects = [], education = [], treeTitle, treeDescription } = lists;
    // What a page says of itself is kept also where no link of it could be.
    const hasTree = this.hasLinks || Boolean(treeTitle || treeDescription);
    return {
      record: {
        email,
        profile: { isPublic, slug, ...Object.fromEntries(values) },
        jobs,
        projects,
        linkTrees: hasTree
          ? [
              {
                title: treeTitle ?? "",
                description: treeDescription ?? null,
                slug,
                ...withoutPage(isPublic),
                links,
              },
            ]
          : [],
        education,
      },
      picture: this.#picture,
      leftOut: this.leftOut,
    };
  }
}

/** A page is public, so that a link tree which nobody says is public has none. */
export function withoutPage(isPublic: boolean): { readonly hasPage?: false } {
  return isPublic ? {} : { hasPage: false };
}

type StudyLevel = (typeof STUDY_LEVELS)[number];

/** What studies lead to, by the words in which degrees are named. */
export function studyLevelOf(degree: string | undefined): StudyLevel {
  const words = degree?.toLowerCase() ?? "";
  const level = LEVELS.find(([, pattern]) => pattern.test(words));
  return level?.[0] ?? "OTHER";
}

const LEVELS: readonly (readonly [StudyLevel, RegExp])[] = [
  ["DOCTORATE", /\b(?:ph\.? ?d|doctor(?:ate|al)?|d\.?phil|dr|ed\.?d|m\.?d)\b/],
  ["MASTER", /\b(?:master(?:'?s)?|m\.?sc?|m\.?a|m\.?b\.?a|m\.?eng|magister|diploma? engineer)\b/],
  ["BACHELOR", /\b(?:bachelor(?:'?s)?|b\.?sc?|b\.?a|b\.?eng|b\.?tech|licen[cs]e)\b/],
  ["ASSOCIATE", /\bassociate(?:'?s)?\b/],
  ["BOOTCAMP", /\bboot ?camp\b/],
  ["HIGH_SCHOOL", /\b(?:high school|secondary|abitur|a-levels?|baccalaur[eé]at|ged)\b/],
];

/** Text whose start is short enough for a short description is one; else it is a description. */
export function descriptions(text: string | undefined): {
  shortDescription: string;
  description: string | null;
} {
  if (!text) return { shortDescription: "", description: null };
  return [...text].length <= BOUNDS.shortDescription && !text.includes("\n")
    ? { shortDescription: text, description: null }
    : { shortDescription: "", description: text };
}

/** An object without what is undefined. */
export function set<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

type Values = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of what should be a list of them. */
export function objectsOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
