import { styleText } from "node:util";
import { LOG_LEVELS, type LogLevel } from "../settings.ts";
import { writeAll } from "./write-all.ts";

export type Fields = Readonly<Record<string, string | number | null | undefined>>;

/** Lines are written together when this much has gathered, or after a moment. */
const BUFFER_BYTES = 64 * 1024;
const FLUSH_DELAY_MS = 20;

const COLOURS = { debug: "gray", info: "cyan", warn: "yellow", error: "red" } as const;

type WrittenLevel = keyof typeof COLOURS;

/** One JSON object per line for machines, or a short readable line for a terminal. */
export class Log {
  readonly #threshold: number;
  readonly #readable: boolean;
  readonly #write: (bytes: Uint8Array) => void;
  /** Bytes and not text: a text that grows line by line is a tree of pieces, costly to keep and to flatten. */
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #length = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #flushLater = () => this.flush();

  constructor(options: { level: LogLevel; readable: boolean; write?: (bytes: Uint8Array) => void }) {
    this.#threshold = LOG_LEVELS.indexOf(options.level);
    this.#readable = options.readable;
    this.#write = options.write ?? toStandardOutput(writeAll);
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
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const most = text.length * 3 + 1;
    if (most > BUFFER_BYTES - this.#length) this.flush();
    if (most > BUFFER_BYTES) {
      this.#write(Buffer.from(`${text}\n`));
      return;
    }
    this.#length += this.#buffer.write(text, this.#length);
    this.#buffer[this.#length++] = NEWLINE;
    this.#timer ??= setTimeout(this.#flushLater, FLUSH_DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#length === 0) return;
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    this.#write(bytes);
  }
}

const NEWLINE = 0x0a;

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
export function toStandardOutput(write: (descriptor: number, bytes: Uint8Array) => void) {
  return (bytes: Uint8Array): void => {
    try {
      write(1, bytes);
    } catch {
      return;
    }
  };
}
