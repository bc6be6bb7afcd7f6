import { until } from "./until.ts";

interface ShownSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface MetricsPage {
  /** Type by name, in the order of the page. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly ShownSample[];
  /** The value of the only sample with these labels; nothing where there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;

/** Reads a page of metrics line by line, and fails on what is no line of one. */
export function parseMetrics(text: string): MetricsPage {
  const types = new Map<string, string>();
  const samples: ShownSample[] = [];
  for (const line of text.split("\n")) {
    const [, typed, type = ""] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (typed !== undefined) types.set(typed, type);
    if (line === "" || line.startsWith("# ")) continue;
    const [, name = "", labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === "") throw new Error(`no sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1] ?? "", match[2] ?? ""]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return {
    types,
    samples,
    value: (name, labels = {}) =>
      samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value,
  };
}

export async function readMetrics(url: string): Promise<MetricsPage> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`metrics: ${response.status}`);
  return parseMetrics(await response.text());
}

/** Where a program that serves says that its metrics are. */
export function metricsUrl(server: { output(): string }): string {
  const url = /"message":"serving metrics","url":"([^"]+)"/.exec(server.output())?.[1];
  if (url === undefined) throw new Error("the program serves no metrics");
  return url;
}

/** Waits until every process of a program counts in Redis. */
export async function untilShared(server: { output(): string }): Promise<void> {
  await until("counts in Redis", async () => {
    const { samples } = await readMetrics(metricsUrl(server));
    return samples.filter(({ name }) => name === "vitrine_limiter_shared").every(({ value }) => value === 1);
  });
}
