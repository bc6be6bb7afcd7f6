import { type Family, METRICS, type MetricName, type Sample } from "./metrics.ts";

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const TEXT_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One page of what several processes tell. All samples of a metric come together, in the order of the table. */
export function metricsText(families: readonly Family[]): string {
  const byName = Map.groupBy(families, ({ name }) => name);
  const names = (Object.keys(METRICS) as MetricName[]).filter((name) => byName.has(name));
  return names.map((name) => metricText(name, byName.get(name) ?? [])).join("\n");
}

function metricText(name: MetricName, families: readonly Family[]): string {
  const { help, type } = METRICS[name];
  const lines = families.flatMap(({ samples }) => samples.map((sample) => sampleText(name, sample)));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function sampleText(name: MetricName, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix ?? ""}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
