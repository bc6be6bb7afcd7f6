import { styleText } from "node:util";
import { withoutControls } from "./json-controls.ts";
import { LOG_LEVELS, type LogLevel } from "./level.ts";
import { PatientOutput } from "./patient-output.ts";
import { NEWLINE } from "./pieces.ts";
import { openStandardOutput } from "./standard-output.ts";

type Fields = Readonly<Record<string, string | number | null | undefined>>;

/** Lines are written together when this much has gathered, or after a moment. */
const BUFFER_BYTES = 64 * 1024;
const FLUSH_DELAY_MS = 20;

const COLOURS = { debug: "gray", info: "cyan", warn: "yellow", error: "red" } as const;

type WrittenLevel = keyof typeof COLOURS;

/** One JSON object per line for machines, or a short readable line for a terminal. */
export class Log implements AsyncDisposable {
  readonly #threshold: number;
  readonly #readable: boolean;
  readonly #output: PatientOutput;
  readonly #write: (bytes: Uint8Array) => void;
  /** Bytes and not text: a text that grows line by line is a tree of pieces, costly to keep and to flatten. */
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #length = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #flushLater = () => this.flush();

  constructor(options: {
    level: LogLevel;
    readable: boolean;
    /** Whether other processes write to the same standard output. */
    isShared?: boolean;
    /** In place of standard output. */
    write?: (bytes: Uint8Array) => void;
  }) {
    this.#threshold = LOG_LEVELS.indexOf(options.level);
    this.#readable = options.readable;
    this.#output = new PatientOutput({
      open: openStandardOutput,
      gapLine: (lines) => this.#format("warn", "log lines were dropped", { lines }),
      isShared: options.isShared ?? false,
    });
    this.#write = options.write ?? ((bytes) => this.#output.write(bytes));
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
    this.line(this.#format(level, message, fields));
    if (level !== "info") this.flush();
  }

  #format(level: WrittenLevel, message: string, fields: Fields): string {
    return (this.#readable ? readableLine : jsonLine)(level, message, fields);
  }

  get readable(): boolean {
    return this.#readable;
  }

  /** How many lines were dropped because nobody took them in time. */
  get dropped(): number {
    return this.#output.dropped;
  }

  /** Takes a finished line, without its end. For callers on the hot path that build their own. */
  line(text: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const maxBytes = text.length * 3 + 1;
    if (maxBytes > BUFFER_BYTES - this.#length) this.flush();
    if (maxBytes > BUFFER_BYTES) {
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.flush();
    await this.#output.close();
  }
}

function jsonLine(level: WrittenLevel, message: string, fields: Fields): string {
  return withoutControls(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
}

function readableLine(level: WrittenLevel, message: string, fields: Fields): string {
  const time = styleText("gray", new Date().toLocaleTimeString("en-GB"));
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => styleText("gray", `${name}=`) + harmless(String(value)))
    .join(" ");
  return `${time} ${styleText(COLOURS[level], level.padEnd(5))} ${message} ${details}`.trimEnd();
}

/**
 * A value without what steers a terminal: some are in the words of others, as what an OpenID provider is said to have
 * answered. Lines, as those of a stack, are set in, so that none can be taken for a line of the log.
 */
function harmless(value: string): string {
  return value.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, "").replaceAll("\n", "\n    ");
}
