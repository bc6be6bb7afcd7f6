import { type Html, html } from "../html.ts";
import { DRAWN } from "./drawn.ts";
import { SERVICES, type ServiceIcon } from "./services.ts";
import { TAKEN } from "./taken.ts";

export type IconName = ServiceIcon | keyof typeof DRAWN;

/** An icon as pages have it: its shape, which stands in a page once, and what shows it. */
export interface Icon {
  readonly name: IconName;
  readonly symbol: Html;
  readonly use: Html;
}

function icon(name: IconName, path: string, kind?: Html): Icon {
  return {
    name,
    symbol: html`<symbol${kind} id="i-${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`,
    use: html`<svg aria-hidden="true"><use href="#i-${name}"/></svg>`,
  };
}

/** What is drawn with lines has a class, by which the style knows how. */
const LINES = html` class="l"`;

const drawn = Object.entries(DRAWN).map(([name, path]) => icon(name as IconName, path, LINES));
const taken = Object.entries(TAKEN).map(([name, path]) => icon(name as IconName, path));

export const ICONS = Object.fromEntries([...drawn, ...taken].map((one) => [one.name, one])) as Readonly<
  Record<IconName, Icon>
>;

/** The shapes of the icons that a page shows. */
export function iconShapes(used: ReadonlySet<Icon>): Html | undefined {
  if (used.size === 0) return undefined;
  return html`<svg class="shapes" aria-hidden="true">${Array.from(used, ({ symbol }) => symbol)}</svg>`;
}

const BY_HOST = new Map<string, Icon>(
  Object.entries(SERVICES).flatMap(([name, hosts]) =>
    hosts.map((host) => [host, ICONS[name as ServiceIcon]] as const),
  ),
);

/** What a host that nobody knows often says of itself, by how it begins. */
const BY_BEGINNING: Readonly<Record<string, IconName>> = {
  mail: "mail",
  cal: "calendar",
  calendar: "calendar",
  events: "calendar",
  music: "music",
  radio: "music",
  podcast: "music",
  video: "video",
  videos: "video",
  tube: "video",
  peertube: "video",
  tv: "video",
  shop: "shop",
  store: "shop",
  docs: "document",
  wiki: "document",
  git: "code",
  code: "code",
  chat: "chat",
  forum: "chat",
  mastodon: "mastodon",
};

/** The icon of a host, by the nearest domain that has one. */
export function iconOfHost(host: string): Icon | undefined {
  for (let domain = host; domain.includes("."); domain = domain.slice(domain.indexOf(".") + 1)) {
    const icon = BY_HOST.get(domain);
    if (icon) return icon;
  }
  const [first = ""] = host.split(".");
  return Object.hasOwn(BY_BEGINNING, first) ? ICONS[BY_BEGINNING[first] as IconName] : undefined;
}
