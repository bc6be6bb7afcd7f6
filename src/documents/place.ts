import { domainToUnicode } from "node:url";
import { ICONS, type Icon, iconOfHost } from "../html/icons/icons.ts";
import { unescaped } from "../records/letters.ts";

/** Where an address leads, in as few words as tell it, and the icon for it. */
interface Place {
  readonly name: string;
  /** None where nobody knows the place. */
  readonly icon: Icon | undefined;
}

/** Most links lead to a few hosts, and an import renders a dozen of them a record. */
const byHost = new Map<string, Place>();
const MOST_HOSTS = 5000;

/** The place of an address: a host, a mail address, a telephone number. */
export function placeOf(url: string): Place {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0) return elsewhere(url);
  const end = url.indexOf("/", start);
  const host = end === -1 ? url.slice(start) : url.slice(start, end);
  const known = byHost.get(host);
  if (known) return known;
  if (!PLAIN_HOST.test(host)) return placeAt(new URL(url).hostname);
  const place = placeAt(host);
  if (byHost.size >= MOST_HOSTS) byHost.clear();
  byHost.set(host, place);
  return place;
}

/** A host that is written as it is read, with nothing before or behind it. */
const PLAIN_HOST = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/;

function placeAt(hostname: string): Place {
  const host = hostname.replace(/^www\.(?=.+\.)/, "");
  return { name: host.includes("xn--") ? asWritten(host) : host, icon: iconOfHost(host) };
}

/** Letters that look like those of another script beside them. */
const MIXED =
  /^(?=.*\p{Script=Latin})(?=.*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])/u;

/** Letters of one other script each of which looks like a Latin one, as all five of `аррӏе` do. */
const ALIKE = /^(?=.*\P{ASCII})(?:[асԁеԍһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+|[αικνρυωηοτ\d-]+|[ագզէլհյոսւօ\d-]+)$/u;

/** An international host as people write it, unless it could pass for another. */
function asWritten(host: string): string {
  const written = domainToUnicode(host);
  // Where the host ends in another script as well, nobody takes it for a Latin one.
  const endsLatin = /\.[a-z]+$/.test(written);
  const isDeceptive = (label: string) => MIXED.test(label) || (endsLatin && ALIKE.test(label));
  return written === "" || written.split(".").some(isDeceptive) ? host : written;
}

function elsewhere(url: string): Place {
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return placeAt(hostname);
  return { name: unescaped(pathname), icon: protocol === "tel:" ? ICONS.telephone : ICONS.mail };
}
