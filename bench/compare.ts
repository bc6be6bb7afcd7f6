import { join } from "node:path";
import { number, plural } from "../src/cli/output.ts";
import { checkAnswers } from "./check.ts";
import {
  answerTo,
  ask,
  type Contender,
  diskBytesPerUser,
  FOLDER,
  LIMIT,
  type Limits,
  PATHS,
  type Path,
  RAISED_LIMITS,
  SAID_OF_RAISED_LIMITS,
  startContender,
  VITRINE,
} from "./contenders.ts";
import { type Dataset, say } from "./dataset.ts";
import { ENCODINGS, type Encoding } from "./load.ts";
import { barChart } from "./plot.ts";
import type { Server } from "./processes.ts";
import { PROCESSOR } from "./processor.ts";
import { circumstances, type Figures, PLACEMENT, rate, ratio, table } from "./report.ts";
import { inTurns, type Outcome, type Point } from "./turns.ts";

/**
 * What a fast server may send each user in one run, on average, so that chance takes nobody to the limit of 30:
 * with 50,000 users and 6 seconds that is 100,000 requests a second.
 */
const SAFE_REQUESTS = 12;
const FASTEST = 100_000;

/** The limits that a run can hold: the default ones, where there are enough users. */
function limitsFor({ users }: Dataset, seconds: number): { limits: Partial<Limits>; said: string } {
  return (seconds * FASTEST) / users <= SAFE_REQUESTS
    ? { limits: {}, said: "limits as by default: 30 and 60 requests a minute for each user" }
    : { limits: RAISED_LIMITS, said: SAID_OF_RAISED_LIMITS };
}

export interface Plan {
  readonly data: Dataset;
  readonly contenders: readonly Contender[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly command: string;
}

/** What is asked, and how: every contender is asked in each of these ways. */
interface Way {
  readonly path: Path;
  readonly encoding: Encoding;
}

/** In this order, so that a path is asked again as late as possible: its limit is of a minute. */
const WAYS: readonly Way[] = ENCODINGS.flatMap((encoding) => PATHS.map((path) => ({ path, encoding })));

interface Result extends Outcome {
  readonly way: Way;
  readonly contender: Contender;
}

export async function compare(plan: Plan): Promise<Figures> {
  const { data, rounds, seconds, connections } = plan;
  const { contenders, absent } = await prepare(plan);
  const { limits, said } = limitsFor(data, seconds);
  await using servers = new AsyncDisposableStack();
  const points: (Point & Pick<Result, "way" | "contender">)[] = [];
  for (const contender of contenders) {
    const started = new Map<Encoding, Server>();
    for (const encoding of contender.startsPerEncoding ? ENCODINGS : ENCODINGS.slice(0, 1)) {
      started.set(encoding, servers.use(await startContender(contender, data, limits, encoding)));
    }
    const limited = limits !== RAISED_LIMITS && contender.checks === "key and limit";
    for (const way of WAYS) {
      const { title: name } = contender;
      const server = (started.get(way.encoding) ?? started.get("plain")) as Server;
      const load = { encoding: way.encoding };
      points.push({ name, contender, server, way, path: way.path, data, connections, limited, load });
    }
  }
  const ordered = WAYS.flatMap((way) => points.filter((point) => point.way === way));
  const outcomes = await inTurns(ordered, plan);
  const results = [...outcomes].map(([{ way, contender }, outcome]) => ({ way, contender, ...outcome }));

  const facts = [
    ...(await versions(contenders)),
    `${number(data.users)} users, a random key for every request, ${connections} connections, ${plural(rounds, "round")} of ${seconds} s each after a warm-up; the medians are given`,
    `Default logging on, to a file; ${PLACEMENT}; ${said}`,
    `Vitrine imported ${rate(data.importedPerSecond)} records a second, and answered ${await firstAnswer(data)} ms after the start of its process`,
    ...absent,
  ];
  const markdown = [
    await circumstances(plan.command, facts),
    ...(await Promise.all(
      PATHS.map((path) => pathSection(path, results, points[0]?.server.url ?? "", data)),
    )),
    `### Bytes\n\nWhat the data takes on the disk for each user, and an answer with its headers on the wire.\n\n${bytesTable(contenders, results, data)}`,
    `### As ratios\n\nRequests a second of Vitrine, as a multiple of each other's.\n\n${ratioTable(contenders, results)}`,
  ].join("\n\n");
  const plot = barChart({
    title: `Requests a second on ${PROCESSOR}`,
    groups: WAYS.map((way) => ({
      name: nameOf(way),
      bars: resultsOf(way, results).map(({ contender, perSecond }) => ({
        name: contender.title,
        value: perSecond,
      })),
    })),
  });
  return { markdown, plot };
}

/** Installs, loads and checks the contenders that can run here, and says why the others cannot. */
async function prepare({ contenders, data }: Plan): Promise<{ contenders: Contender[]; absent: string[] }> {
  const prepared: Contender[] = [];
  const absent: string[] = [];
  for (const contender of contenders) {
    const missing = contender.missing?.();
    if (missing) {
      absent.push(`${contender.title}: left out, ${missing}`);
      continue;
    }
    say(`preparing ${contender.title}`);
    await contender.prepare(data);
    await checkAnswers(contender, data);
    prepared.push(contender);
  }
  say("all give the same answers");
  return { contenders: prepared, absent };
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

function nameOf({ path, encoding }: Way): string {
  return encoding === "gzip" ? `${path}, gzip` : path;
}

function resultsOf(way: Way, results: readonly Result[]): Result[] {
  return results.filter((result) => result.way === way);
}

async function pathSection(
  path: Path,
  results: readonly Result[],
  url: string,
  data: Dataset,
): Promise<string> {
  const { length } = (await answerTo(url, path, data.keys()[0])).bytes;
  const tables = WAYS.filter((way) => way.path === path).map((way) => {
    const asked = way.encoding === "gzip" ? "With `Accept-Encoding: gzip`:" : "Without `Accept-Encoding`:";
    return `${asked}\n\n${resultTable(resultsOf(way, results))}`;
  });
  return [`### \`${path}\``, `Answers of about ${number(length)} bytes.`, ...tables].join("\n\n");
}

function rateNamed(name: string, results: readonly Result[]): number {
  return results.find(({ contender }) => contender.name === name)?.perSecond ?? Number.NaN;
}

function resultTable(results: readonly Result[]): string {
  const vitrine = rateNamed("vitrine", results);
  const limit = rateNamed(LIMIT, results);
  const rows = results.map(({ contender, perSecond, p50, p99, memory }) => [
    contender.title,
    rate(perSecond),
    p50.toFixed(2),
    p99.toFixed(2),
    memory?.own.toFixed(0) ?? "–",
    memory?.mapped.toFixed(0) ?? "–",
    Number.isNaN(vitrine) ? "–" : ratio(vitrine / perSecond),
    Number.isNaN(limit) ? "–" : (perSecond / limit).toFixed(2),
  ]);
  return table(
    ["", "requests/s", "p50 ms", "p99 ms", "memory MB", "mapped MB", "Vitrine is", "of the limit"],
    rows,
  );
}

function bytesTable(contenders: readonly Contender[], results: readonly Result[], data: Dataset): string {
  const rows = contenders.map((contender) => {
    const onDisk = diskBytesPerUser(contender, data);
    const onWire = WAYS.map((way) => {
      const found = resultsOf(way, results).find((result) => result.contender === contender);
      return number(Math.round(found?.wireBytes ?? Number.NaN));
    });
    return [contender.title, onDisk === undefined ? "–" : number(Math.round(onDisk)), ...onWire];
  });
  return table(["", "on disk", ...WAYS.map(headingOf)], rows);
}

function ratioTable(contenders: readonly Contender[], results: readonly Result[]): string {
  const others = contenders.filter(({ name }) => name !== "vitrine");
  const rows = others.map(({ name, title }) => [
    title,
    ...WAYS.map((way) => {
      const own = resultsOf(way, results);
      return ratio(rateNamed("vitrine", own) / rateNamed(name, own));
    }),
  ]);
  return table(["Beside", ...WAYS.map(headingOf)], rows);
}

function headingOf({ path, encoding }: Way): string {
  return encoding === "gzip" ? `\`${path}\`, gzip` : `\`${path}\``;
}

/** The runtimes and, for each contender with packages, the ones that it is made of. */
async function versions(contenders: readonly Contender[]): Promise<string[]> {
  const said = (command: string[]) => {
    const { stdout, stderr } = Bun.spawnSync(command);
    return `${stdout}${stderr}`.trim();
  };
  const runtimes = [`Bun ${Bun.version}`, `Node ${said(["node", "--version"]).slice(1)}`];
  const packages: string[] = [];
  for (const { name, version } of contenders) {
    if (version) runtimes.push(said(version).replace(/^.*: /, ""));
    const file = Bun.file(join(FOLDER, name, "package.json"));
    if (!(await file.exists())) continue;
    const { dependencies = {} } = (await file.json()) as { dependencies?: Record<string, string> };
    const list = Object.entries(dependencies).map(([dependency, version]) => `${dependency} ${version}`);
    if (list.length > 0) packages.push(`${name}: ${list.join(", ")}`);
  }
  return [`Versions: ${runtimes.join(", ")}`, ...packages];
}
