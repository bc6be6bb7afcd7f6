import { unescaped } from "../../records/letters.ts";
import { Observable } from "./observable.ts";
import { SECTIONS, type Section } from "./sections.ts";

/** Where somebody is. An owner has only one user, who is not named. */
interface Place {
  /** The list of users, or what belongs to one of them. */
  readonly section: Section | "users";
  readonly user?: string | undefined;
  /** One of the things in a section, such as the id of a link tree. */
  readonly item?: string | undefined;
}

/** Places stand behind the `#`: the studio is one page, and its server knows no other. */
export function hashOf({ section, user, item }: Place): string {
  const steps = [
    ...(user === undefined ? [] : ["users", user]),
    section,
    ...(item === undefined ? [] : [item]),
  ];
  return `#/${steps.map(encodeURIComponent).join("/")}`;
}

function placeOf(hash: string): Place | undefined {
  if (!hash.startsWith("#/")) return undefined;
  const steps = hash.slice(2).split("/").map(unescaped);
  const user = steps[0] === "users" && steps.length > 1 ? steps[1] : undefined;
  const [section, item] = user === undefined ? steps : steps.slice(2);
  if (section === "users") return { section };
  const known = SECTIONS.find((name) => name === section);
  return known && { section: known, user, item };
}

/** Says whether somebody may leave one place for another, and if not now, has asked them. */
type Guard = (to: Place | undefined) => boolean;

export const place = new Observable<Place | undefined>(placeOf(location.hash));

let guard: Guard = () => true;

/** Sets who is asked before a place is left. */
export function guardLeaving(asked: Guard): () => void {
  guard = asked;
  return () => {
    guard = () => true;
  };
}

/** Goes back to where everybody begins. The place that was left is not kept for whoever comes next. */
export function startOver(): void {
  history.replaceState(history.state, "", location.pathname);
  place.set(undefined);
}

export function go(to: Place): void {
  location.hash = hashOf(to);
}

/** The number of this entry in the browser's history, which a new one gets from the one before it. */
function entryAfter(before: number): number {
  const known: unknown = history.state;
  if (typeof known === "number") return known;
  history.replaceState(before + 1, "");
  return before + 1;
}

export function follow(): void {
  let entry = entryAfter(0);
  const arrive = () => {
    const steps = entryAfter(entry) - entry;
    // A link with a secret was opened in a page that is there already: it begins anew, and asks before that if it must.
    if (/^#\w+=/.test(location.hash)) return location.reload();
    // The reader is back where a refused step began, and never left.
    if (steps === 0) return;
    const to = placeOf(location.hash);
    if (!guard(to)) return history.go(-steps);
    entry += steps;
    place.set(to);
    scrollTo(0, 0);
  };
  addEventListener("hashchange", arrive);
}
