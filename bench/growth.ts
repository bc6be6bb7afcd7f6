import { statSync } from "node:fs";
import { number, plural } from "../src/cli/output.ts";
import {
  ask,
  CONTENDERS,
  type Contender,
  LIMIT,
  RAISED_LIMITS,
  SAID_OF_RAISED_LIMITS,
  startContender,
  VITRINE,
} from "./contenders.ts";
import { buildDataset, say, size } from "./dataset.ts";
import { lineChart } from "./plot.ts";
import { besidePgbench } from "./postgres.ts";
import type { Server } from "./processes.ts";
import { circumstances, type Figures, PLACEMENT, rate, table } from "./report.ts";
import { inTurns, type Point } from "./turns.ts";

export interface GrowthPlan {
  readonly cache: string;
  readonly users: number;
  /** The largest number of users that the growth by users goes up to. */
  readonly mostUsers: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly command: string;
}

const USERS = [1_000, 10_000, 100_000, 1_000_000];
const LINKS = [10, 1_000, 100_000];
const CONNECTIONS = [1, 4, 16, 64, 256, 1_000];
const OWNERS_OF_LINKS = 8;

/** Few, since a tree of 100,000 links is megabytes long. */
const CONNECTIONS_FOR_LINKS = 8;

export const GROWTH = {
  users: { heading: "Growth: users", measure: byUsers },
  links: { heading: "Growth: links in one tree", measure: byLinks },
  connections: { heading: "Growth: connections", measure: byConnections },
  postgres: { heading: "PostgreSQL beside pgbench", measure: besidePgbench },
} as const;

export type GrowthPart = keyof typeof GROWTH;

export function isGrowthPart(name: string): name is GrowthPart {
  return Object.hasOwn(GROWTH, name);
}

const constant = CONTENDERS.find(({ name }) => name === LIMIT) as Contender;

function facts(plan: GrowthPlan, ...others: string[]): Promise<string> {
  return circumstances(plan.command, [
    `Versions: Bun ${Bun.version}`,
    `${plural(plan.rounds, "round")} of ${plan.seconds} s each after a warm-up, in turns; the medians are given`,
    `A random key for every request, default logging on, to a file; ${PLACEMENT}; ${SAID_OF_RAISED_LIMITS}`,
    ...others,
  ]);
}

async function byUsers(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const points: Point[] = [];
  const path = "/user/full";
  const common = { path, connections: plan.connections };
  for (const users of USERS.filter((users) => users <= plan.mostUsers)) {
    say(`preparing ${number(users)} users`);
    const data = await buildDataset(plan.cache, users);
    if (points.length === 0) {
      await constant.prepare(data);
      const server = servers.use(await startContender(constant, data, RAISED_LIMITS));
      points.push({ name: constant.title, server, data, ...common });
    }
    await readThrough(data.file("vitrine.db"));
    const server = servers.use(await startContender(VITRINE, data, RAISED_LIMITS));
    points.push({ name: `${number(users)} users`, server, data, ...common });
  }
  const outcomes = await inTurns(points, plan);
  const [limit, ...rows] = [...outcomes];
  const least = rows[0]?.[1].perSecond ?? Number.NaN;
  const most = limit?.[1].perSecond ?? Number.NaN;
  const markdown = [
    await facts(plan, `\`${path}\`, ${plan.connections} connections; each file was read through once before`),
    table(
      [
        "users",
        "database",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "memory MB",
        "mapped MB",
        "of 1,000 users",
        "of the limit",
      ],
      rows.map(([{ data }, { perSecond, p50, p99, memory }]) => [
        number(data.users),
        size(statSync(data.file("vitrine.db")).size),
        rate(perSecond),
        p50.toFixed(2),
        p99.toFixed(2),
        memory?.own.toFixed(0) ?? "–",
        memory?.mapped.toFixed(0) ?? "–",
        (perSecond / least).toFixed(2),
        (perSecond / most).toFixed(2),
      ]),
    ),
    `The limit, a constant \`Bun.serve\` responder, did ${rate(most)} requests a second in the same turns.`,
  ].join("\n\n");
  const plot = lineChart({
    title: `Requests a second of ${path}, by users in the database`,
    x: "users",
    y: "requests/s",
    series: [
      { name: "Vitrine", points: rows.map(([{ data }, { perSecond }]) => [data.users, perSecond] as const) },
      { name: constant.title, points: rows.map(([{ data }]) => [data.users, most] as const) },
    ],
  });
  return { markdown, plot };
}

async function byLinks(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const path = "/user/linktrees";
  const pairs: { links: number; bytes: number; own: Point; limit: Point }[] = [];
  for (const links of LINKS) {
    say(`preparing a tree of ${number(links)} links`);
    const data = await buildDataset(plan.cache, OWNERS_OF_LINKS, { links });
    await constant.prepare(data);
    const start = async (contender: Contender): Promise<Point> => ({
      name: `${contender.title}, ${number(links)} links`,
      server: servers.use(await startContender(contender, data, RAISED_LIMITS)),
      data,
      path,
      connections: CONNECTIONS_FOR_LINKS,
    });
    const own = await start(VITRINE);
    const { length: bytes } = await (await ask(own.server.url, path, data.keys()[0])).bytes();
    pairs.push({ links, bytes, own, limit: await start(constant) });
  }
  const outcomes = await inTurns(
    pairs.flatMap(({ own, limit }) => [own, limit]),
    plan,
  );
  const rateOf = (point: Point) => outcomes.get(point)?.perSecond ?? Number.NaN;
  const megabytes = (perSecond: number, bytes: number) => (perSecond * bytes) / 1e6;
  const markdown = [
    await facts(
      plan,
      `\`${path}\`, one tree of each of ${OWNERS_OF_LINKS} users, ${CONNECTIONS_FOR_LINKS} connections`,
    ),
    table(
      ["links", "bytes", "requests/s", "MB/s", "p50 ms", "p99 ms", "memory MB", "of the limit"],
      pairs.map(({ links, bytes, own, limit }) => [
        number(links),
        number(bytes),
        rate(rateOf(own)),
        rate(megabytes(rateOf(own), bytes)),
        outcomes.get(own)?.p50.toFixed(2) ?? "–",
        outcomes.get(own)?.p99.toFixed(2) ?? "–",
        outcomes.get(own)?.memory?.own.toFixed(0) ?? "–",
        (rateOf(own) / rateOf(limit)).toFixed(2),
      ]),
    ),
  ].join("\n\n");
  const line = (name: string, pick: (pair: (typeof pairs)[number]) => Point) => ({
    name,
    points: pairs.map((pair) => [pair.links, megabytes(rateOf(pick(pair)), pair.bytes)] as const),
  });
  const plot = lineChart({
    title: `Megabytes a second of ${path}, by links in one tree`,
    x: "links",
    y: "MB/s",
    series: [line("Vitrine", ({ own }) => own), line(constant.title, ({ limit }) => limit)],
  });
  return { markdown, plot };
}

async function byConnections(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const path = "/user/full";
  const data = await buildDataset(plan.cache, plan.users, {}, true);
  await constant.prepare(data);
  const vitrine = servers.use(await startContender(VITRINE, data, RAISED_LIMITS));
  const limiting = servers.use(await startContender(constant, data, RAISED_LIMITS));
  const pairs = CONNECTIONS.map((connections) => {
    const point = (server: Server): Point => ({
      name: `${server.name}, ${plural(connections, "connection")}`,
      server,
      data,
      path,
      connections,
    });
    return { connections, own: point(vitrine), limit: point(limiting) };
  });
  const outcomes = await inTurns(
    pairs.flatMap(({ own, limit }) => [own, limit]),
    plan,
  );
  const rateOf = (point: Point) => outcomes.get(point)?.perSecond ?? Number.NaN;
  const markdown = [
    await facts(plan, `\`${path}\`, ${number(data.users)} users`),
    table(
      ["connections", "requests/s", "p50 ms", "p99 ms", "memory MB", "of the limit"],
      pairs.map(({ connections, own, limit }) => [
        number(connections),
        rate(rateOf(own)),
        outcomes.get(own)?.p50.toFixed(2) ?? "–",
        outcomes.get(own)?.p99.toFixed(2) ?? "–",
        outcomes.get(own)?.memory?.own.toFixed(0) ?? "–",
        (rateOf(own) / rateOf(limit)).toFixed(2),
      ]),
    ),
  ].join("\n\n");
  const line = (name: string, pick: (pair: (typeof pairs)[number]) => Point) => ({
    name,
    points: pairs.map((pair) => [pair.connections, rateOf(pick(pair))] as const),
  });
  const plot = lineChart({
    title: `Requests a second of ${path}, by connections`,
    x: "connections",
    y: "requests/s",
    series: [line("Vitrine", ({ own }) => own), line(constant.title, ({ limit }) => limit)],
  });
  return { markdown, plot };
}

/** Reads a file once, so that as much of it as fits is in the system's memory, as on a server that has run a while. */
async function readThrough(file: string): Promise<void> {
  for await (const _ of Bun.file(file).stream());
}
