import { statSync } from "node:fs";
import { number, plural } from "../src/cli/output.ts";
import { underAbuse } from "./abuse.ts";
import {
  answerTo,
  CONTENDERS,
  type Contender,
  LIMIT,
  RAISED_LIMITS,
  SAID_OF_RAISED_LIMITS,
  startContender,
  VITRINE,
} from "./contenders.ts";
import { buildDataset, type Dataset, say, size } from "./dataset.ts";
import { importing } from "./importing.ts";
import { measure } from "./load.ts";
import { lineChart } from "./plot.ts";
import { besidePgbench } from "./postgres.ts";
import type { Server } from "./processes.ts";
import { circumstances, type Figures, PLACEMENT, rate, table } from "./report.ts";
import { inTurns, type Outcome, type Point } from "./turns.ts";

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
const WARMING_SECONDS = 5;

/** How growth is asked for: as browsers and most HTTP libraries do. */
const load = { encoding: "gzip" } as const;

/** Few, since a tree of 100,000 links is megabytes long. */
const CONNECTIONS_FOR_LINKS = 8;

export const GROWTH = {
  users: { heading: "Growth: users", measure: byUsers },
  links: { heading: "Growth: links in one tree", measure: byLinks },
  connections: { heading: "Growth: connections", measure: byConnections },
  postgres: { heading: "PostgreSQL beside pgbench", measure: besidePgbench },
  import: { heading: "Import", measure: importing },
  abuse: { heading: "Wrong keys", measure: underAbuse },
} as const;

export type GrowthPart = keyof typeof GROWTH;

export function isGrowthPart(name: string): name is GrowthPart {
  return Object.hasOwn(GROWTH, name);
}

const constant = CONTENDERS.find(({ name }) => name === LIMIT) as Contender;

/** One place on the axis of a growth: Vitrine there, and the limit that it is a share of. */
interface Place {
  readonly at: number;
  readonly own: Point;
  readonly limit: Point;
}

/** A column that one growth has and the others do not. */
type Column<Any> = readonly [heading: string, cell: (place: Any, own: Outcome, first: Outcome) => string];

interface Growth<Any extends Place> {
  /** What grows, which is the first column and the axis of the plot. */
  readonly what: string;
  readonly title: string;
  readonly places: readonly Any[];
  readonly facts: string;
  readonly columns?: readonly Column<Any>[];
  /** What the plot shows, where that is not requests a second. */
  readonly plotted?: { readonly unit: string; readonly of: (place: Any, perSecond: number) => number };
}

/** To be awaited before the servers of its places are gone. */
async function besideLimit<Any extends Place>(plan: GrowthPlan, growth: Growth<Any>): Promise<Figures> {
  const { what, title, places, columns = [] } = growth;
  const { unit, of } = growth.plotted ?? { unit: "requests/s", of: (_, perSecond) => perSecond };
  const outcomes = await inTurns([...new Set(places.flatMap(({ own, limit }) => [own, limit]))], plan);
  const measured = places.map((place) => ({
    place,
    own: outcomes.get(place.own) as Outcome,
    limit: outcomes.get(place.limit) as Outcome,
  }));
  const first = measured[0]?.own as Outcome;
  const facts = await circumstances(plan.command, [
    `Versions: Bun ${Bun.version}`,
    `${growth.facts}; a random key for every request, and answers as gzip`,
    `${plural(plan.rounds, "round")} of ${plan.seconds} s each after a warm-up, in turns; the medians are given`,
    `Default logging on, to a file; ${PLACEMENT}; ${SAID_OF_RAISED_LIMITS}`,
  ]);
  const headings = ["requests/s", "p50 ms", "p99 ms", "memory MB", "mapped MB", "of the limit"];
  const rows = measured.map(({ place, own, limit }) => [
    number(place.at),
    ...columns.map(([, cell]) => cell(place, own, first)),
    rate(own.perSecond),
    own.p50.toFixed(2),
    own.p99.toFixed(2),
    own.memory?.own.toFixed(0) ?? "–",
    own.memory?.mapped.toFixed(0) ?? "–",
    (own.perSecond / limit.perSecond).toFixed(2),
  ]);
  const line = (name: string, server: "own" | "limit") => ({
    name,
    points: measured.map((it) => [it.place.at, of(it.place, it[server].perSecond)] as const),
  });
  return {
    markdown: `${facts}\n\n${table([what, ...columns.map(([heading]) => heading), ...headings], rows)}`,
    plot: lineChart({
      title,
      x: what,
      y: unit,
      series: [line(VITRINE.title, "own"), line(constant.title, "limit")],
    }),
  };
}

function start(contender: Contender, data: Dataset): Promise<Server> {
  return startContender(contender, data, RAISED_LIMITS, load.encoding);
}

async function byUsers(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const path = "/user/full";
  const { connections } = plan;
  // All of them first: to make a large one takes what was read of the others out of the system's memory.
  const datasets: Dataset[] = [];
  for (const at of USERS.filter((users) => users <= plan.mostUsers)) {
    say(`preparing ${number(at)} users`);
    datasets.push(await buildDataset(plan.cache, at));
  }
  let limit: Point | undefined;
  const places: (Place & { bytes: number })[] = [];
  for (const data of datasets) {
    const { users: at } = data;
    if (!limit) {
      await constant.prepare(data);
      const server = servers.use(await start(constant, data));
      limit = { name: constant.title, server, data, path, connections, load };
    }
    const file = data.file("vitrine.db");
    await readThrough(file);
    const server = servers.use(await start(VITRINE, data));
    const own = { name: `${VITRINE.title}, ${number(at)} users`, server, data, path, connections, load };
    await askAsOftenAsUsers(own);
    places.push({ at, own, limit, bytes: statSync(file).size });
  }
  return await besideLimit(plan, {
    what: "users",
    title: `Requests a second of ${path}, by users in the database`,
    facts: `\`${path}\`, ${connections} connections; before that, each file was read through once, and as many requests were made as it has users`,
    places,
    columns: [
      ["database", ({ bytes }) => size(bytes)],
      [
        `of ${number(places[0]?.at ?? 0)} users`,
        (_, own, first) => (own.perSecond / first.perSecond).toFixed(2),
      ],
    ],
  });
}

async function byLinks(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const path = "/user/linktrees";
  const connections = CONNECTIONS_FOR_LINKS;
  const places: (Place & { bytes: number })[] = [];
  for (const at of LINKS) {
    say(`preparing a tree of ${number(at)} links`);
    const data = await buildDataset(plan.cache, OWNERS_OF_LINKS, { links: at });
    await constant.prepare(data);
    const point = async (contender: Contender): Promise<Point> => {
      const server = servers.use(await start(contender, data));
      return { name: `${contender.title}, ${number(at)} links`, server, data, path, connections, load };
    };
    const own = await point(VITRINE);
    const { sent } = await answerTo(own.server.url, path, data.keys()[0], load.encoding);
    const bytes = sent.length;
    places.push({ at, own, limit: await point(constant), bytes });
  }
  const megabytes = ({ bytes }: { bytes: number }, perSecond: number) => (perSecond * bytes) / 1e6;
  return await besideLimit(plan, {
    what: "links",
    title: `Megabytes a second of ${path}, by links in one tree`,
    facts: `\`${path}\`, one tree for each of ${OWNERS_OF_LINKS} users, ${connections} connections`,
    places,
    columns: [
      ["bytes", ({ bytes }) => number(bytes)],
      ["MB/s", (place, { perSecond }) => rate(megabytes(place, perSecond))],
    ],
    plotted: { unit: "MB/s", of: megabytes },
  });
}

async function byConnections(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const path = "/user/full";
  const data = await buildDataset(plan.cache, plan.users, {}, true);
  await constant.prepare(data);
  const vitrine = servers.use(await start(VITRINE, data));
  const limiting = servers.use(await start(constant, data));
  const point = (server: Server, connections: number): Point => {
    const name = `${server.name}, ${plural(connections, "connection")}`;
    return { name, server, data, path, connections, load };
  };
  return await besideLimit(plan, {
    what: "connections",
    title: `Requests a second of ${path}, by connections`,
    facts: `\`${path}\`, ${number(data.users)} users`,
    places: CONNECTIONS.map((at) => ({ at, own: point(vitrine, at), limit: point(limiting, at) })),
  });
}

/** So that what is asked for is in the system's memory, as on a server that has run a while. */
async function askAsOftenAsUsers({ server, path, data, connections }: Point): Promise<void> {
  for (let asked = 0; asked < data.users; ) {
    const { requests, requestsPerSecond } = await measure({
      url: server.url,
      path,
      keys: data.keysFile,
      connections,
      seconds: WARMING_SECONDS,
      ...load,
    });
    asked += requests;
    say(`warming up  ${number(asked)} requests, ${rate(requestsPerSecond)} a second`);
    await server.emptyLog();
  }
}

/** Reads a file once, so that as much of it as fits is in the system's memory. */
async function readThrough(file: string): Promise<void> {
  for await (const _ of Bun.file(file).stream());
}
