// Runs a command whenever a hook of Vitrine's announces a change: a server for signed messages (Standard Webhooks),
// on PORT, with the secret that `vitrine hook add --secret` printed in HOOK_SECRET.
import { spawn } from "node:child_process";
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

/** A message that is older, or newer, may be one that somebody has caught and sends again. */
const TOLERANCE_SECONDS = 300;
const MAX_BODY_LENGTH = 100_000;

/** The least that Standard Webhooks 1.0.0 allows, in bytes. With an empty key, everybody could sign. */
const SHORTEST_KEY = 24;

const { HOOK_SECRET = "", PORT = "4400" } = process.env;
// Node makes bytes of anything: with quotes around the secret, say, it would make others, which have signed nothing.
const [, secret = ""] = /^\s*(?:whsec_)?([A-Za-z\d+/]+=*)\s*$/.exec(HOOK_SECRET) ?? [];
const key = Buffer.from(secret, "base64");
if (key.length < SHORTEST_KEY) {
  console.error("Error: HOOK_SECRET is no secret of a hook\nTry: vitrine hook add EMAIL URL --secret");
  process.exit(1);
}
const [command, ...args] = process.argv.slice(2);

const server = createServer(async (request, response) => {
  const body = request.method === "POST" ? await bodyOf(request) : undefined;
  const isGenuine = body !== undefined && isSigned(request.headers, body);
  // The answer does not wait for the build, which takes longer than a sender waits.
  response.writeHead(isGenuine ? 202 : 401).end();
  if (isGenuine && JSON.parse(body).type === "record.changed") build();
});
server.on("error", refusePort);
try {
  server.listen(Number(PORT), "127.0.0.1", () => {
    console.log(`Listening at http://127.0.0.1:${server.address().port}`);
  });
} catch (error) {
  refusePort(error);
}

/** A port that another program has is told later than one that is none. */
function refusePort({ code }) {
  console.error(`Error: cannot listen on port ${PORT}: ${code}\nTry: PORT=4401 npm run rebuild-on-change`);
  process.exit(1);
}

/** Nothing where it is too long, or its sender has gone in the middle of it. */
async function bodyOf(request) {
  let body = "";
  try {
    for await (const text of request.setEncoding("utf8")) {
      body += text;
      if (body.length > MAX_BODY_LENGTH) return undefined;
    }
  } catch {
    return undefined;
  }
  return body;
}

function isSigned(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) < TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

let isBuilding = false;
let isOutdated = false;

/** One build at a time. A change that comes meanwhile is built after it. */
function build() {
  isOutdated = true;
  if (isBuilding) return;
  isBuilding = true;
  isOutdated = false;
  const child = spawn(command, args, { stdio: "inherit" });
  child.on("error", (error) => console.error(`Error: ${error.message}`));
  child.on("close", () => {
    isBuilding = false;
    if (isOutdated) build();
  });
}
