import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(import.meta.resolve("axe-core"));

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A frame without scripts cannot be looked into, which axe would find out by waiting for it. */
const OPTIONS = { resultTypes: ["violations"], iframes: false, preload: false };

/**
 * What axe finds wrong with a page, in a sentence each. Where colours are forced, their contrast is left out: axe takes
 * the page's own colour for that of the letters, and the reader's for what they stand on.
 */
export async function axeViolations(page: Page, { isForced = false } = {}): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  const rules = isForced ? { "color-contrast": { enabled: false } } : {};
  const options = { ...OPTIONS, runOnly: RULES, rules };
  // All that axe has to say would take longer to bring here than to find.
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes: [node] }) => id + ": " + node.html + " " + node.failureSummary))`,
  );
}

/** What sticks out of the window, or of the box that should hold it. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** The widths that a page is looked at in, and how its colours are chosen. */
const LOOKED_AT = [320, 390, 768, 1280];
const COLOURS = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "forced colours": { colorScheme: "light", forcedColors: "active" },
} as const;

const PLACES = Object.keys(COLOURS).flatMap((colours) => LOOKED_AT.map((width) => `${width} px, ${colours}`));
/** That nothing is wrong anywhere. */
export const NOTHING = Object.fromEntries(PLACES.map((place) => [place, { violations: [], sticksOut: 0 }]));

/** What is wrong with a page in every width and colour, by all rules of axe. */
export async function lookEverywhere(page: Page) {
  const found: Record<string, { violations: string[]; sticksOut: number }> = {};
  for (const [colours, media] of Object.entries(COLOURS)) {
    await page.emulateMedia(media);
    for (const width of LOOKED_AT) {
      await page.setViewportSize({ width, height: 800 });
      const violations = await axeViolations(page, { isForced: media.forcedColors === "active" });
      found[`${width} px, ${colours}`] = { violations, sticksOut: Math.max(await overflow(page), 0) };
    }
  }
  return found;
}
