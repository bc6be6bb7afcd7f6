type Mark = readonly [mark: RegExp, name: string];

/** In this order, because most browsers also claim to be those below them. */
const BROWSERS: readonly Mark[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPiOS)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  // There is one on Apple's systems alone, and only it names its version so.
  [/\b(?:iPhone|iPad|Mac OS X)\b.*\bVersion\/.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly Mark[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** More than any browser says of itself. To look for marks in all that a header may hold takes seconds. */
const MOST_LOOKED_AT = 1000;

/** A browser and its system in words by which an owner recognises them. Nothing else of the header is kept. */
export function deviceOf(userAgent: string): string {
  const start = userAgent.slice(0, MOST_LOOKED_AT);
  const nameIn = (marks: readonly Mark[]) => marks.find(([mark]) => mark.test(start))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return system === undefined ? "Unknown browser" : `Browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
