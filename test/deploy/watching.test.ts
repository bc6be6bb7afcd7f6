import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { parse } from "yaml";
import { METRICS } from "../../src/metrics/metrics.ts";
import { readFile } from "../docs/markdown.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const RULES = "deploy/prometheus/vitrine.rules.yaml";
const DASHBOARD = "deploy/grafana/vitrine.json";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const { groups } = parse(readFile(RULES)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFile(DASHBOARD)) as { panels: Panel[] };
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe("the alerts and the dashboard", () => {
  test("name only metrics that there are", () => {
    const named = [...rules.map(({ expr }) => expr), ...expressions].flatMap(
      (text) => text.match(/\b(?:vitrine|process)_\w+/g) ?? [],
    );
    const known = Object.keys(METRICS);
    const missing = named.filter((name) => !known.includes(name.replace(/_(?:bucket|sum|count)$/, "")));
    expect([named.length > 20, missing]).toEqual([true, []]);
  });

  const promtool = Bun.which("promtool");
  if (!promtool) withoutTool("are understood by Prometheus", "promtool is not there", () => {});
  else
    test("are understood by Prometheus", async () => {
      using folder = new TemporaryFolder();
      const filled = expressions.map((expr) =>
        expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*"),
      );
      const recorded = filled.map((expr, index) => ({ record: `panel:${index}`, expr }));
      const file = folder.file("dashboard.json");
      await Bun.write(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
      const { exitCode, stderr } = Bun.spawnSync([promtool, "check", "rules", RULES, file]);
      expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: "" });
    });
});

/** What becomes true, as samples every 14 seconds from the start, and what is said of it then. */
const FIRING = [
  {
    alert: "VitrineCannotCount",
    metric: "vitrine_tracking_commits_total",
    labels: { instance: "a:9090", result: "failed" },
    values: "0x8 0+60x60",
    summary: "a:9090 cannot write views and clicks, which wait",
  },
  {
    alert: "VitrineKeysExpire",
    metric: "vitrine_keys_expiring",
    labels: { instance: "a:9090" },
    values: "0x8 1x60",
    summary: "Keys that expire within 14 days: 1",
  },
  {
    alert: "VitrineHooksFail",
    metric: "vitrine_hooks",
    labels: { instance: "a:9090", state: "failing" },
    values: "0x8 1x60",
    summary: "Hooks that are failing: 1",
  },
  {
    alert: "VitrineWorkersDie",
    metric: "vitrine_worker_restarts_total",
    labels: { instance: "a:9090" },
    values: "0x8 0+1x60",
    summary: "Workers of a:9090 were replaced 43 times in ten minutes",
  },
] as const;

describe.each(FIRING)("the alert $alert", ({ alert, metric, labels, values, summary }) => {
  const promtool = Bun.which("promtool");
  if (!promtool) withoutTool("is given", "promtool is not there", () => {});
  else
    test("is given when that of which it tells goes on, and is worded for people", async () => {
      using folder = new TemporaryFolder();
      const rule = rules.find((it) => it.alert === alert);
      const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
      // What is told of the whole database has the labels of no series.
      const ofSeries = rule?.expr.startsWith("max(") ? {} : labels;
      const given = {
        exp_labels: { ...rule?.labels, ...ofSeries },
        exp_annotations: { ...rule?.annotations, summary },
      };
      const trial = {
        interval: "14s",
        input_series: [{ series: `${metric}{${pairs.join(",")}}`, values }],
        alert_rule_test: [
          { eval_time: "1m", alertname: alert, exp_alerts: [] },
          { eval_time: "16m", alertname: alert, exp_alerts: [given] },
        ],
      };
      const file = folder.file("trial.json");
      const all = { rule_files: [resolve(RULES)], evaluation_interval: "15s", tests: [trial] };
      await Bun.write(file, JSON.stringify(all));
      const { exitCode, stdout, stderr } = Bun.spawnSync([promtool, "test", "rules", file]);
      const said = exitCode === 0 ? "" : `${stdout}${stderr}`;
      expect({ exitCode, said }).toEqual({ exitCode: 0, said: "" });
    });
});

test.each(rules)("the alert $alert says how grave it is, what is wrong, and where to read on", (rule) => {
  expect(rule.alert).toMatch(/^Vitrine[A-Z]/);
  expect(rule.labels.severity).toMatch(/^(?:critical|warning|info)$/);
  expect(rule.annotations.summary).not.toBe("");
  const [page = "", anchor = ""] = rule.annotations.runbook.split("#");
  const heading = anchor.replaceAll("-", " ");
  const section = readFile(page)
    .split("\n")
    .find((line) => /^#+ /.test(line) && line.toLowerCase().endsWith(` ${heading}`));
  expect(section).toBeDefined();
});

describe("the dashboard", () => {
  test("has panels that differ by id and title, and do not lie on each other", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const places = panels.map(({ gridPos: { x, y, w, h } }) => ({
      place: `${x}/${y}`,
      fits: x + w <= 24 && h > 0,
    }));
    expect(new Set(places.map(({ place }) => place)).size).toBe(panels.length);
    expect(places.every(({ fits }) => fits)).toBe(true);
  });

  test("can be narrowed to some instances, in every panel", () => {
    for (const expr of expressions) expect(expr).toContain('instance=~"$instance"');
  });
});
