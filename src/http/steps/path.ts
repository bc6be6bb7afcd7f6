import { paramsIn } from "../../contract/path-template.ts";
import type { Params } from "../exchange.ts";

/** The path as it was sent. A URL without a usable host begins with the path. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** What stands in a URL of Bun's for bytes that were no UTF-8. */
export const UNREADABLE = "\uFFFD";

/**
 * The segments of a path, or undefined where it is not UTF-8 in percent-encoding. A caller that sends the mark itself
 * cannot be told from one whose bytes Bun has replaced with it, and is refused too: no slug has it.
 */
export function decodePath(path: string): string[] | undefined {
  try {
    const segments = path.split("/").map(decodeURIComponent);
    return segments.some((segment) => segment.includes(UNREADABLE)) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** A slug as it would be stored: every one is in small letters, however it is written elsewhere. */
export function smallLetters(slug: string): string {
  return slug.normalize("NFC").toLowerCase();
}

interface Match {
  readonly template: string;
  readonly params: Params;
}

/** Finds the template, such as `/user/linktrees/:slug`, that a path fits; a trailing slash is accepted. */
export function matchPath(segments: readonly string[], templates: readonly string[]): Match | undefined {
  const given = segments.at(-1) === "" ? segments.slice(0, -1) : segments;
  for (const template of templates) {
    const params = paramsIn(given, template.split("/"));
    if (params) return { template, params };
  }
  return undefined;
}
