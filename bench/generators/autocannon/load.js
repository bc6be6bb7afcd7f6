// Loads a server as random-key.lua does, where wrk is not installed, and prints the same lines as histogram.lua.
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const [url, keysFile, connections, seconds, encoding] = process.argv.slice(2);
const keys = readFileSync(keysFile, "utf8").trim().split("\n");
const warmed = new Set();
const latencies = new Map();

const running = autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  headers: encoding ? { "accept-encoding": encoding } : {},
  requests: [
    {
      setupRequest: (request) => {
        const key = keys[Math.floor(Math.random() * keys.length)];
        return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } };
      },
    },
  ],
});
running.on("response", (client, _status, _bytes, milliseconds) => {
  // A connection's first answer also has its acceptance in it.
  if (!warmed.has(client)) return void warmed.add(client);
  const microseconds = Math.round(milliseconds * 1000);
  latencies.set(microseconds, (latencies.get(microseconds) ?? 0) + 1);
});

const result = await running;
const failures = result.non2xx + result.errors + result.timeouts;
const lines = [
  `measured ${Math.round(result.duration * 1e6)} ${result.requests.total} ${failures} ${result.throughput.total}`,
];
for (const [microseconds, count] of latencies) lines.push(`latency ${microseconds} ${count}`);
process.stdout.write(`${lines.join("\n")}\n`);
