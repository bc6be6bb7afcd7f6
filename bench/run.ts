#!/usr/bin/env bun
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";
import { CONTENDERS } from "./contenders.ts";
import { buildDataset, say } from "./dataset.ts";
import { GROWTH, type GrowthPart, isGrowthPart } from "./growth.ts";
import { prepareGenerator } from "./load.ts";
import { CACHE, count, Misuse } from "./options.ts";
import { leaveWithServers } from "./processes.ts";
import { writeReadme } from "./readme.ts";
import { writeSection } from "./report.ts";

const HELP = `Usage: npm run bench -- [options]

Measures Vitrine beside other ways to serve the same data, and writes bench/RESULTS.md, plots, and the figures of README.md.

Options:
  --quick              a rehearsal in some three minutes: 10,000 users, one short round; writes nothing
  --growth [parts]     how speed changes with users, links and connections, beside PostgreSQL, and of imports;
                       parts are ${Object.keys(GROWTH).join(", ")}, separated by commas (default: all of them)
  --only <names>       some contenders: ${CONTENDERS.map(({ name }) => name).join(", ")}; writes nothing
  --users <count>      users in the database (default: 50000); with --growth users, the most (default: 1000000)
  --rounds <count>     times that each is measured (default: 3)
  --seconds <count>    how long each time (default: 6)
  --connections <n>    connections at once (default: 32)
  --cache <folder>     where data is kept between runs (default: vitrine-bench in the system's temporary folder)
  -h, --help           show help

Examples:
  $ npm run bench
  $ npm run bench -- --quick
  $ npm run bench -- --only vitrine,constant-bun --seconds 3
  $ npm run bench -- --growth users,connections
`;

const args = process.argv.slice(2);
// `--growth` may stand alone, which parseArgs has no word for.
const growthAt = args.indexOf("--growth");
if (growthAt !== -1 && (args[growthAt + 1] ?? "--").startsWith("-")) {
  args.splice(growthAt + 1, 0, Object.keys(GROWTH).join(","));
}

function listed<Item>(text: string, find: (name: string) => Item | undefined): Item[] {
  return text.split(",").map((name) => {
    const found = find(name.trim());
    if (found === undefined) throw new Misuse(`there is no ${name.trim()}`);
    return found;
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      growth: { type: "string" },
      only: { type: "string" },
      users: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "32" },
      cache: { type: "string", default: CACHE },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { quick, cache } = values;
  const rounds = count("rounds", values.rounds ?? (quick ? "1" : "3"));
  const seconds = count("seconds", values.seconds ?? (quick ? "2" : "6"));
  const users = count("users", values.users ?? (quick ? "10000" : "50000"));
  const mostUsers = count("users", values.users ?? "1000000");
  const connections = count("connections", values.connections);
  const command = [
    "npm run bench",
    ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : []),
  ].join(" ");
  await prepareGenerator();

  if (values.growth !== undefined) {
    const parts = listed<GrowthPart>(values.growth, (name) => (isGrowthPart(name) ? name : undefined));
    for (const part of parts) {
      const { heading, measure } = GROWTH[part];
      say(heading);
      const { markdown, plot } = await measure({
        cache,
        rounds,
        seconds,
        connections,
        command,
        users,
        mostUsers,
      });
      process.stdout.write(`\n## ${heading}\n\n${markdown}\n\n`);
      await writeSection(heading, markdown);
      await Bun.write(join(import.meta.dir, `growth-${part}.svg`), plot);
      await writeReadme();
    }
    return;
  }

  const contenders = values.only
    ? listed(values.only, (wanted) => CONTENDERS.find(({ name }) => name === wanted))
    : CONTENDERS;
  const data = await buildDataset(cache, users, {}, true);
  const { markdown, plot } = await compare({ data, contenders, rounds, seconds, connections, command });
  process.stdout.write(`\n${markdown}\n\n`);
  if (quick || values.only) {
    say(
      `A rehearsal: ${quick ? "fewer users, shorter rounds, no growth" : "some contenders"}. bench/RESULTS.md is as it was.`,
    );
    return;
  }
  await writeSection("Comparison", markdown);
  await Bun.write(join(import.meta.dir, "comparison.svg"), plot);
  await writeReadme();
}

leaveWithServers();

try {
  await main();
  process.exit(0);
} catch (error) {
  const misused =
    error instanceof Misuse || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  say(`Error: ${(error as Error).message}`);
  say(`Try: ${misused ? "npm run bench -- --help" : "npm run bench -- --quick, which measures less"}`);
  process.exit(1);
}
