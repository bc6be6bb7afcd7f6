import { join } from "node:path";
import { number, plural } from "../src/cli/output.ts";
import { RAISED_LIMITS, SAID_OF_RAISED_LIMITS, startContender, VITRINE } from "./contenders.ts";
import { buildDataset, bun, say } from "./dataset.ts";
import type { GrowthPlan } from "./growth.ts";
import { measure } from "./load.ts";
import { barChart } from "./plot.ts";
import { endsWithUs, onLoadCore, type Server } from "./processes.ts";
import { circumstances, type Figures, median, PLACEMENT, rate, ratio, table } from "./report.ts";

const WRONG_KEYS_PER_SECOND = 10_000;

/** The server is told to trust the machine that all of the load comes from, so that there are two addresses. */
const LIMITED = { ...RAISED_LIMITS, LIMIT_FAILED: "60", TRUSTED_PROXIES: "127.0.0.1" };
const PATH = "/user/full";

/** How long a caller who keeps to a pace waits between an answer and its next request. */
const PAUSE_MS = 16;

interface Caller {
  readonly name: string;
  readonly pauseMs?: number;
}

/** The first is what most servers see; the other one takes all that is left of the server. */
const CALLERS: readonly Caller[] = [
  { name: `with a pause of ${PAUSE_MS} ms after each answer`, pauseMs: PAUSE_MS },
  { name: "as fast as they can" },
];

interface Case {
  readonly caller: Caller;
  readonly name: string;
  readonly server: Server;
  readonly isAttacked: boolean;
  readonly p50: number[];
  readonly p99: number[];
  readonly perSecond: number[];
  /** Answers to wrong keys a second, and the share of them that was 429. */
  readonly wrong: number[];
  refusedShare: number;
}

/** What callers with good keys notice of somebody who tries wrong ones, with and without a limit for that. */
export async function underAbuse(plan: GrowthPlan): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const data = await buildDataset(plan.cache, plan.users, {}, true);
  const unlimited = servers.use(await startContender(VITRINE, data, RAISED_LIMITS));
  const limited = servers.use(await startContender(VITRINE, data, LIMITED));
  const cases: Case[] = CALLERS.flatMap((caller) => [
    newCase(caller, "quiet", unlimited, false),
    newCase(caller, `beside ${number(WRONG_KEYS_PER_SECOND)} wrong keys a second`, unlimited, true),
    newCase(caller, `the same, with \`LIMIT_FAILED=${LIMITED.LIMIT_FAILED}\``, limited, true),
  ]);
  for (let round = 0; round <= plan.rounds; round++) {
    for (const one of cases) {
      await using attack = one.isAttacked ? await startAttack(one.server.url) : undefined;
      const { p50, p99, requestsPerSecond, failures } = await measure({
        url: one.server.url,
        path: PATH,
        keys: data.keysFile,
        connections: plan.connections,
        seconds: plan.seconds,
        pauseMs: one.caller.pauseMs,
        encoding: "gzip",
      });
      if (failures > 0) throw new Error(`${failures} requests with good keys failed`);
      const { seconds = 1, answers = {} } = (await attack?.stop()) ?? {};
      const wrong = Object.values(answers).reduce((sum, count) => sum + count, 0);
      await one.server.emptyLog();
      say(
        `${round === 0 ? "warm-up" : `round ${round} of ${plan.rounds}`}  ${one.name}: p99 ${p99.toFixed(2)} ms`,
      );
      if (round === 0) continue;
      one.p50.push(p50);
      one.p99.push(p99);
      one.perSecond.push(requestsPerSecond);
      one.wrong.push(wrong / seconds);
      one.refusedShare = (answers["429"] ?? 0) / wrong;
    }
  }
  return figuresOf(cases, plan);
}

function newCase(caller: Caller, name: string, server: Server, isAttacked: boolean): Case {
  return { caller, name, server, isAttacked, p50: [], p99: [], perSecond: [], wrong: [], refusedShare: 0 };
}

async function figuresOf(cases: readonly Case[], plan: GrowthPlan): Promise<Figures> {
  const facts = await circumstances(plan.command, [
    `Versions: Bun ${Bun.version}`,
    `\`${PATH}\`, ${number(plan.users)} users, a random key for every request, answers as gzip, ${plan.connections} connections; wrong keys come over 64 others, from a process of its own`,
    `${plural(plan.rounds, "round")} of ${plan.seconds} s each after a warm-up, in turns; the medians are given`,
    `Default logging on, to a file; ${PLACEMENT}; ${SAID_OF_RAISED_LIMITS}`,
  ]);
  const groups = [...Map.groupBy(cases, ({ caller }) => caller.name)];
  const sections = groups.map(([name, those]) => {
    const quiet = median(those[0]?.p99 ?? []);
    const rows = those.map(({ name, isAttacked, p50, p99, perSecond, wrong, refusedShare }) => [
      name,
      rate(median(perSecond)),
      median(p50).toFixed(2),
      median(p99).toFixed(2),
      ratio(median(p99) / quiet),
      isAttacked ? rate(median(wrong)) : "–",
      isAttacked ? refusedShare.toFixed(2) : "–",
    ]);
    const headings = [
      "",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "of the quiet p99",
      "wrong keys/s",
      "of them 429",
    ];
    return `Callers ask ${name}:\n\n${table(headings, rows)}`;
  });
  return {
    markdown: [facts, ...sections].join("\n\n"),
    plot: barChart({
      title: "p99 of callers with good keys, in microseconds",
      groups: groups.map(([name, those]) => ({
        name: `asking ${name}`,
        bars: those.map(({ name, p99 }) => ({ name: name.replaceAll("`", ""), value: median(p99) * 1000 })),
      })),
    }),
  };
}

interface Attack extends AsyncDisposable {
  stop(): Promise<{ seconds: number; answers: Record<string, number> }>;
}

async function startAttack(url: string): Promise<Attack> {
  const command = [bun, join(import.meta.dir, "wrong-keys.ts"), url, String(WRONG_KEYS_PER_SECOND), PATH];
  const child = endsWithUs(
    Bun.spawn(onLoadCore(command), { stdin: "ignore", stdout: "pipe", stderr: "inherit" }),
  );
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  if ((await lines.read()).done) throw new Error("nobody could be found to try wrong keys");
  return {
    async stop() {
      child.kill("SIGTERM");
      return JSON.parse((await lines.read()).value ?? "");
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
