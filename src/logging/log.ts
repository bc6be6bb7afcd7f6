import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { LOG_LEVELS, type LogLevel } from "../settings.ts";

export type Fields = Readonly<Record<string, string | number | null | undefined>>;

/** Lines are written together when this much has gathered, or after a moment. */
const FLUSH_BYTES = 64 * 1024;
const FLUSH_DELAY_MS = 20;

const COLOURS = { debug: "gray", info: "cyan", warn: "yellow", error: "red" } as const;

type WrittenLevel = keyof typeof COLOURS;

/** One JSON object per line for machines, or a short readable line for a terminal. */
export class Log {
  readonly #threshold: number;
  readonly #readable: boolean;
  readonly #write: (text: string) => void;
  #waiting = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #flushLater = () => this.flush();

  constructor(options: { level: LogLevel; readable: boolean; write?: (text: string) => void }) {
    this.#threshold = LOG_LEVELS.indexOf(options.level);
    this.#readable = options.readable;
    this.#write = options.write ?? writeAll;
  }

  writes(level: WrittenLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= this.#threshold;
  }

  debug(message: string, fields?: Fields): void {
    this.#log("debug", message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#log("info", message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#log("warn", message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#log("error", message, fields);
  }

  #log(level: WrittenLevel, message: string, fields: Fields = {}): void {
    if (!this.writes(level)) return;
    this.line(this.#readable ? readableLine(level, message, fields) : jsonLine(level, message, fields));
    if (level !== "info") this.flush();
  }

  get readable(): boolean {
    return this.#readable;
  }

  /** Takes a finished line, without its end. For callers on the hot path that build their own. */
  line(text: string): void {
    this.#waiting += `${text}\n`;
    if (this.#waiting.length >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(this.#flushLater, FLUSH_DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = "";
    if (text) this.#write(text);
  }
}

function jsonLine(level: WrittenLevel, message: string, fields: Fields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
}

function readableLine(level: WrittenLevel, message: string, fields: Fields): string {
  const time = styleText("gray", new Date().toLocaleTimeString("en-GB"));
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => styleText("gray", `${name}=`) + value)
    .join(" ");
  return `${time} ${styleText(COLOURS[level], level.padEnd(5))} ${message} ${details}`.trimEnd();
}

/** A log that nobody reads any more (a closed pipe) must not take the service down with it. */
function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") Bun.sleepSync(1);
      else return;
    }
  }
}
