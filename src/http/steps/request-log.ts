import { styleText } from "node:util";
import type { Log } from "../../logging/log.ts";
import type { Exchange } from "../exchange.ts";

/** What the log tells of an exchange: never a key, an e-mail address, a path or a query string. */
type Logged = Pick<Exchange, "id" | "method" | "route" | "startedAt" | "userId" | "keyId">;

/** Writes one line per request at level info. Built by hand: no value in it ever needs escaping. */
export function logExchange(log: Log, exchange: Logged, status: number): void {
  const milliseconds = formatMilliseconds(performance.now() - exchange.startedAt);
  if (log.readable) {
    log.line(readableLine(exchange, status, milliseconds));
    return;
  }
  const { id, method, route, userId, keyId } = exchange;
  log.line(
    `{"time":"${isoNow()}","level":"info","message":"request","requestId":"${id}","method":"${method}","route":${quoted(route)},"status":${status},"ms":${milliseconds},"userId":${quoted(userId)},"keyId":${quoted(keyId)}}`,
  );
}

function readableLine({ id, method, route, userId }: Logged, status: number, milliseconds: string): string {
  const time = styleText("gray", new Date().toLocaleTimeString("en-GB"));
  const code = styleText(status < 400 ? "green" : status < 500 ? "yellow" : "red", String(status));
  const rest = styleText("gray", `${milliseconds} ms ${userId ? `user=${userId} ` : ""}id=${id}`);
  return `${time} ${code} ${method.padEnd(4)} ${route ?? "(no route)"} ${rest}`;
}

/** Three decimals. `toFixed` works out any number of them exactly and takes ten times as long. */
function formatMilliseconds(duration: number): string {
  const microseconds = Math.round(duration * 1000);
  const rest = microseconds % 1000;
  return `${(microseconds - rest) / 1000}.${rest < 10 ? "00" : rest < 100 ? "0" : ""}${rest}`;
}

function quoted(text: string | null): string {
  return text === null ? "null" : `"${text}"`;
}

let lastInstant = 0;
let lastText = "";

/** Requests of one millisecond share one text. */
function isoNow(): string {
  const now = Date.now();
  if (now !== lastInstant) {
    lastInstant = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}
