import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(import.meta.resolve("axe-core"));

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A frame without scripts cannot be looked into, which axe would find out by waiting for it. */
const OPTIONS = { resultTypes: ["violations"], iframes: false, preload: false };

/**
 * What axe finds wrong with a page, in a sentence each. Where only colours changed, only these are looked at; where they
 * are the reader's own, all but these, since axe does not see forced ones.
 */
export async function axeViolations(
  page: Page,
  which: "all" | "colours" | "all but colours" = "all",
): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  const runOnly = which === "colours" ? { type: "rule", values: ["color-contrast"] } : RULES;
  const rules = which === "all but colours" ? { "color-contrast": { enabled: false } } : {};
  const options = { ...OPTIONS, runOnly, rules };
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
