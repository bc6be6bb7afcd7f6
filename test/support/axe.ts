import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** Without its comments: a browser reads it once for each page. */
const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules that ask for colours. */
const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** A frame without scripts cannot be looked into, which axe would find out by waiting for it. */
const OPTIONS = { resultTypes: ["violations"], iframes: false, preload: false };

/** Runs in the page: what it consists of, where that stands, and what is seen of it. */
const STRUCTURE = `(() => {
  const parts = [...document.querySelectorAll("*")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const { visibility, opacity, overflow, position, clip, clipPath, fontSize } = getComputedStyle(element);
    return [x, y, width, height, visibility, opacity, overflow, position, clip, clipPath, fontSize].join(" ");
  });
  return parts.join() + document.documentElement.outerHTML;
})()`;

/** How a page is asked to choose its colours. */
export type Colours = NonNullable<Parameters<Page["emulateMedia"]>[0]>;

/** What is wrong with a page: what axe finds, in a sentence each, and how far something sticks out of the window. */
interface Looked {
  readonly violations: string[];
  readonly sticksOut: number;
}

/** What axe finds wrong with a page as it is, in a sentence each. */
export async function axeViolations(page: Page): Promise<string[]> {
  const [looked] = await lookInColours(page, [{}]);
  return looked?.violations ?? [];
}

/**
 * Looks at a page in each of these colours. Rules that do not ask for colours find the same in all of them, and so run
 * again only where more than colours has changed. Where colours are forced, their contrast is left out: axe takes the
 * page's own colour for that of the letters, and the reader's for what they stand on.
 */
export async function lookInColours(page: Page, every: readonly Colours[]): Promise<Looked[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  await page.evaluate("window.lookedAt = undefined");
  const found: Looked[] = [];
  for (const colours of every) {
    await page.emulateMedia(colours);
    const isForced = colours.forcedColors === "active";
    const rules = isForced ? { "color-contrast": { enabled: false } } : {};
    const all = { ...OPTIONS, runOnly: RULES, rules };
    const again = { ...OPTIONS, runOnly: RULES_OF_COLOURS.filter((rule) => !(rule in rules)) };
    // All that axe has to say would take longer to bring here than to find.
    const violations = await page.evaluate<string[]>(`(() => {
      const structure = ${STRUCTURE};
      const options = structure === window.lookedAt ? ${JSON.stringify(again)} : ${JSON.stringify(all)};
      window.lookedAt = structure;
      return axe.run(document, options).then(({ violations }) =>
        violations.map(({ id, nodes: [node] }) => id + ": " + node.html + " " + node.failureSummary));
    })()`);
    found.push({ violations, sticksOut: Math.max(await overflow(page), 0) });
  }
  return found;
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
  const found: Record<string, Looked | undefined> = {};
  for (const width of LOOKED_AT) {
    await page.setViewportSize({ width, height: 800 });
    const looked = await lookInColours(page, Object.values(COLOURS));
    for (const [index, colours] of Object.keys(COLOURS).entries())
      found[`${width} px, ${colours}`] = looked[index];
  }
  return found;
}
