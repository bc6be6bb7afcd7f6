import { join } from "node:path";
import { number, plural } from "../src/cli/output.ts";
import { checkAnswers } from "./check.ts";
import {
  ask,
  type Contender,
  FOLDER,
  LIMIT,
  type Limits,
  PATHS,
  type Path,
  startContender,
  VITRINE,
} from "./contenders.ts";
import { type Dataset, say } from "./dataset.ts";
import { type Measured, measure } from "./load.ts";
import { barChart } from "./plot.ts";
import type { Memory, Server } from "./processes.ts";
import { circumstances, median, PLACEMENT, rate, ratio, table } from "./report.ts";

const WARM_UP_SECONDS = 2;
const MINUTE_MS = 60_000;

/**
 * What a fast server may send each user in one run, on average, so that chance takes nobody to the limit of 30:
 * with 50,000 users and 6 seconds that is 100,000 requests a second.
 */
const SAFE_REQUESTS = 12;
const FASTEST = 100_000;

export const RAISED: Limits = { LIMIT_FULL: "1000000", LIMIT_DEFAULT: "1000000" };
export const SAID_OF_RAISED =
  "limits raised, since there are few users for so many requests, and still checked";

/** The limits that a run can hold: the default ones, where there are enough users. */
function limitsFor({ users }: Dataset, seconds: number): { limits: Partial<Limits>; said: string } {
  return (seconds * FASTEST) / users <= SAFE_REQUESTS
    ? { limits: {}, said: "limits as by default: 30 and 60 requests a minute for each user" }
    : { limits: RAISED, said: SAID_OF_RAISED };
}

export interface Plan {
  readonly data: Dataset;
  readonly contenders: readonly Contender[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly command: string;
}

interface Result {
  readonly contender: Contender;
  readonly measured: readonly Measured[];
  readonly memory: Memory | undefined;
}

/** Measures all contenders in turns, so that whatever else the machine does meets them alike. */
export async function compare(plan: Plan): Promise<{ markdown: string; plot: string }> {
  const { data, rounds } = plan;
  const absent: string[] = [];
  const contenders: Contender[] = [];
  for (const contender of plan.contenders) {
    const missing = contender.missing?.();
    if (missing) {
      absent.push(`${contender.title}: left out, ${missing}`);
      continue;
    }
    say(`preparing ${contender.title}`);
    await contender.prepare(data);
    await checkAnswers(contender, data);
    contenders.push(contender);
  }
  say("all answers are the same");

  const { limits, said } = limitsFor(data, plan.seconds);
  await using servers = new AsyncDisposableStack();
  const started: { contender: Contender; server: Server }[] = [];
  for (const contender of contenders) {
    started.push({ contender, server: servers.use(await startContender(contender, data, limits)) });
  }

  const measured = new Map<Path, Map<Contender, Measured[]>>(
    PATHS.map((path) => [path, new Map(contenders.map((contender) => [contender, []]))]),
  );
  const memory = new Map<Contender, Memory | undefined>();
  const loadedAt = new Map<string, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const path of PATHS) {
      for (const { contender, server } of started) {
        // A limit of so many a minute has forgotten the last run after a minute.
        const elapsed = performance.now() - (loadedAt.get(server.url + path) ?? Number.NEGATIVE_INFINITY);
        const mustWait = limits !== RAISED && contender.checks === "key and limit" && elapsed < MINUTE_MS;
        if (mustWait) await Bun.sleep(MINUTE_MS - elapsed);
        const seconds = round === 0 ? Math.min(WARM_UP_SECONDS, plan.seconds) : plan.seconds;
        const result = await measure({
          url: server.url,
          path,
          keys: data.keysFile,
          connections: plan.connections,
          seconds,
        });
        loadedAt.set(server.url + path, performance.now());
        if (result.failures > 0) throw new Error(`${contender.title}: ${result.failures} requests failed`);
        const name = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
        say(`${name}  ${path}  ${contender.title}: ${rate(result.requestsPerSecond)} requests/s`);
        // The first round warms up and is not counted.
        if (round > 0) measured.get(path)?.get(contender)?.push(result);
        memory.set(contender, server.memory());
        await server.emptyLog();
      }
    }
  }

  const results = (path: Path) =>
    contenders.map((contender) => ({
      contender,
      measured: measured.get(path)?.get(contender) ?? [],
      memory: memory.get(contender),
    }));
  const facts = [
    ...(await versions(contenders)),
    `${number(data.users)} users, a random key for every request, ${plan.connections} connections, ${plural(rounds, "round")} of ${plan.seconds} s each after a warm-up; the medians are given`,
    `Default logging on, to a file; ${PLACEMENT}; ${said}`,
    `Vitrine imported ${rate(data.importedPerSecond)} records a second, and answered ${await firstAnswer(data)} ms after the start of its process`,
    ...absent,
  ];
  const sections = await Promise.all(
    PATHS.map(async (path) => {
      const bytes = (await (await ask(started[0]?.server.url ?? "", path, data.keys()[0])).bytes()).length;
      return `### \`${path}\`\n\nAnswers of about ${number(bytes)} bytes.\n\n${resultTable(results(path))}`;
    }),
  );
  const markdown = [
    await circumstances(plan.command, facts),
    ...sections,
    `### As ratios\n\nRequests a second of Vitrine, as a multiple of each other's.\n\n${ratioTable(contenders, results)}`,
  ].join("\n\n");
  const plot = barChart({
    title: "Requests a second",
    groups: PATHS.map((path) => ({
      name: path,
      bars: results(path).map((result) => ({ name: result.contender.title, value: rateOf(result) })),
    })),
  });
  return { markdown, plot };
}

/** Milliseconds from the start of the process to its first answer with data: the least of some tries. */
async function firstAnswer(data: Dataset): Promise<string> {
  const [key] = data.keys();
  const times: number[] = [];
  for (let attempt = 0; attempt < 10; attempt++) {
    const startedAt = performance.now();
    await using vitrine = await startContender(VITRINE, data, {});
    await (await ask(vitrine.url, "/user/full", key)).bytes();
    times.push(performance.now() - startedAt);
  }
  return Math.min(...times).toFixed(0);
}

function rateOf({ measured }: Pick<Result, "measured">): number {
  return median(measured.map(({ requestsPerSecond }) => requestsPerSecond));
}

function resultTable(results: readonly Result[]): string {
  const rateNamed = (name: string) => {
    const found = results.find(({ contender }) => contender.name === name);
    return found ? rateOf(found) : Number.NaN;
  };
  const own = rateNamed("vitrine");
  const limit = rateNamed(LIMIT);
  const rows = results.map((result) => {
    const { contender, measured, memory } = result;
    const perSecond = rateOf(result);
    const known = (value: number, text: string) => (Number.isNaN(value) ? "–" : text);
    return [
      contender.title,
      rate(perSecond),
      median(measured.map(({ p50 }) => p50)).toFixed(2),
      median(measured.map(({ p99 }) => p99)).toFixed(2),
      memory ? memory.own.toFixed(0) : "–",
      memory ? memory.mapped.toFixed(0) : "–",
      known(own, ratio(own / perSecond)),
      known(limit, (perSecond / limit).toFixed(2)),
    ];
  });
  return table(
    ["", "requests/s", "p50 ms", "p99 ms", "memory MB", "mapped MB", "Vitrine is", "of the limit"],
    rows,
  );
}

function ratioTable(contenders: readonly Contender[], results: (path: Path) => Result[]): string {
  const others = contenders.filter(({ name }) => name !== "vitrine");
  const rows = others.map((contender) => [
    contender.title,
    ...PATHS.map((path) => {
      const of = (wanted: string) =>
        rateOf(results(path).find(({ contender: { name } }) => name === wanted) ?? { measured: [] });
      return ratio(of("vitrine") / of(contender.name));
    }),
  ]);
  return table(["Beside", ...PATHS.map((path) => `\`${path}\``)], rows);
}

/** The runtimes and, for each contender with packages, the ones that it is made of. */
async function versions(contenders: readonly Contender[]): Promise<string[]> {
  const nginx = Bun.spawnSync([Bun.which("nginx") ?? "true", "-v"]).stderr.toString();
  const runtimes = [
    `Bun ${Bun.version}`,
    `Node ${Bun.spawnSync(["node", "--version"]).stdout.toString().trim().slice(1)}`,
    ...(/nginx\/(\S+)/.exec(nginx)?.slice(1, 2) ?? []).map((version) => `nginx ${version}`),
  ];
  const packages: string[] = [];
  for (const { name } of contenders) {
    const file = Bun.file(join(FOLDER, name, "package.json"));
    if (!(await file.exists())) continue;
    const { dependencies = {} } = (await file.json()) as { dependencies?: Record<string, string> };
    const list = Object.entries(dependencies).map(([dependency, version]) => `${dependency} ${version}`);
    if (list.length > 0) packages.push(`${name}: ${list.join(", ")}`);
  }
  return [`Versions: ${runtimes.join(", ")}`, ...packages];
}
