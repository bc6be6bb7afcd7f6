import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { READY_PATH } from "../../src/contract/routes.ts";
import { MOST_WAIT_MS } from "../../src/limits/shared.ts";
import { METRICS } from "../../src/metrics/metrics.ts";
import { SETTINGS } from "../../src/settings.ts";
import { MOST_WAIT_MS as MOST_COMMIT_WAIT_MS, MOST_ENTRIES } from "../../src/tracking/group-commit.ts";
import { code, fencesOf, filesMatching, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/operations.md");

describe("docs/operations.md", () => {
  test("lists exactly the settings, with their variables and defaults", () => {
    const rows = firstTable(sectionOf(page, "Settings")).map((row) =>
      [row.Flag, row.Variable, row.Default].map((cell) => code(cell ?? "")),
    );
    expect(rows).toEqual(
      Object.values(SETTINGS).map(({ flag, variable, fallback }) => [flag, variable, fallback || "none"]),
    );
  });

  test("lists exactly the metrics, with their types, labels and meaning", () => {
    const rows = firstTable(sectionOf(page, "Metrics")).map((row) => ({
      name: code(row.Metric ?? ""),
      type: row.Type,
      labels: [...(row.Labels ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]),
      help: row["What it is"],
    }));
    expect(rows).toEqual(
      Object.entries(METRICS).map(([name, { type, labels, help }]) => ({
        name,
        type,
        labels: [...labels],
        help,
      })),
    );
  });

  test("names no metric that is not there, in its alerts or anywhere", () => {
    const known = Object.keys(METRICS);
    const named = page.match(/\b(?:vitrine|process)_\w+/g) ?? [];
    const missing = named.filter((name) => !known.includes(name.replace(/_(?:bucket|sum|count)$/, "")));
    expect(missing).toEqual([]);
  });

  test("shows alerts that are YAML, each with an expression", () => {
    const [rules = ""] = fencesOf(sectionOf(page, "Metrics"), "yaml");
    const { groups } = parse(rules) as { groups: { rules: { alert: string; expr: string }[] }[] };
    const alerts = groups.flatMap((group) => group.rules);
    expect(alerts.length).toBeGreaterThan(5);
    for (const { alert, expr } of alerts) {
      expect(alert).toStartWith("Vitrine");
      expect(expr).toMatch(/vitrine_\w+/);
    }
  });

  test("quotes only lines of the log that the program writes", () => {
    const source = filesMatching("src/**/*.ts").map(readFile).join("\n");
    const quoted = firstTable(sectionOf(page, "When a part fails"))
      .map((row) => row["What the log says"] ?? "")
      .filter((cell) => cell.startsWith("`"));
    expect(quoted.length).toBeGreaterThan(5);
    for (const cell of quoted) expect(source).toContain(`"${code(cell)}"`);
  });

  test("gives the bounds that the program has", () => {
    const section = sectionOf(page, "When a part fails");
    expect(section).toContain(`at most ${MOST_WAIT_MS} ms each process counts by itself`);
    expect(section).toContain(`after at most ${MOST_COMMIT_WAIT_MS} ms`);
    expect(section).toContain(`${MOST_ENTRIES.toLocaleString("en")} counters wait`);
  });

  test("has every load balancer ask the path that says whether an instance is ready", () => {
    const [haproxy = "", caddy = ""] = fencesOf(sectionOf(page, "Load balancer"), "text");
    expect(haproxy).toContain(`GET uri ${READY_PATH} `);
    expect(caddy).toContain(`health_uri ${READY_PATH}\n`);
  });
});
