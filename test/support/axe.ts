import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(import.meta.resolve("axe-core"));

/** What axe finds wrong with a page, in a sentence each. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
