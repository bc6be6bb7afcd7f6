import { html } from "./html.ts";

/** The size that all who show a shared link expect. */
export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

/** What the preview picture of a page shows, and so all that it has to be drawn anew for. */
export interface Scene {
  /** Whom, or what, the page is about. */
  readonly headline: string;
  /** What stands below, or nothing. */
  readonly title: string;
  readonly initial: string;
  /** The address of the owner's picture, or nothing. */
  readonly picture: string;
  /** Empty where none was chosen. */
  readonly theme: string;
  /** The hue in degrees, and how strong it is: 0 is a grey. */
  readonly hue: number;
  readonly strength: number;
}

/** Part of every scene, so that the pictures of pages that are compiled by another version are drawn anew. */
const DRAWING_VERSION = 2;

/** A scene as it is stored with its page. */
export function sceneText({ headline, title, initial, picture, theme, hue, strength }: Scene): string {
  return JSON.stringify([DRAWING_VERSION, headline, title, initial, picture, theme, hue, strength]);
}

export function sceneIn(text: string): Scene {
  const [, headline, title, initial, picture, theme, hue, strength] = JSON.parse(text);
  return { headline, title, initial, picture, theme, hue, strength };
}

/** Behind the address of the picture. The words for it stand in the page, which begins with them. */
const DRAWN = `"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="${PREVIEW_WIDTH}"><meta property="og:image:height" content="${PREVIEW_HEIGHT}"><meta name="twitter:card" content="summary_large_image">`;

/** What names a picture to those who show a shared link: its address is the origin and a path, ready to stand there. */
export function drawnTags(origin: string): (path: string) => string {
  const start = `${html`<meta property="og:image" content="${origin}`}`;
  // As for the address of a page. This is done for every view.
  return (path) => start + path + DRAWN;
}

/** The same where nothing is drawn: the owner's own picture, if there is one. */
export function undrawnTags(scene: string): string {
  const picture = scene === "" ? "" : sceneIn(scene).picture;
  return String(
    html`${picture === "" ? undefined : html`<meta property="og:image" content="${picture}">`}<meta name="twitter:card" content="summary">`,
  );
}
