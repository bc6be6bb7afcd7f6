import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { LOG_LEVELS, type LogLevel } from "../../src/logging/level.ts";
import { Log } from "../../src/logging/log.ts";

const WRITTEN_LEVELS = ["debug", "info", "warn", "error"] as const;

/** A log that writes into a list, one entry for each time it writes. */
function collecting(level: LogLevel, readable = false) {
  const writes: string[] = [];
  const log = new Log({
    level,
    readable,
    write: (bytes) => void writes.push(new TextDecoder().decode(bytes)),
  });
  return { log, writes, text: () => writes.join("") };
}

function say(log: Log): void {
  for (const level of WRITTEN_LEVELS) log[level](`at ${level}`);
  log.flush();
}

describe("a log", () => {
  test.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["silent", []],
  ] as const)("of level %s writes %j and nothing below", (level, expected) => {
    const { log, text } = collecting(level);
    say(log);
    const levels = text()
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { level: string }).level);
    expect(levels).toEqual([...expected]);
    expect(WRITTEN_LEVELS.filter((each) => log.writes(each))).toEqual([...expected]);
  });

  test("has a case here for every level there is", () => {
    expect([...LOG_LEVELS]).toEqual([...WRITTEN_LEVELS, "silent"]);
  });
});

describe("a line for machines", () => {
  test("is one JSON object with time, level, message and fields, in that order", () => {
    const { log, text } = collecting("info");
    log.warn("the disk is nearly full", { free: 3, path: "/var", note: null });
    const line = JSON.parse(text()) as Record<string, unknown>;
    expect(Object.keys(line)).toEqual(["time", "level", "message", "free", "path", "note"]);
    expect(line).toMatchObject({ level: "warn", message: "the disk is nearly full", free: 3, note: null });
    expect(new Date(line.time as string).toISOString()).toBe(line.time as string);
  });

  test("stays one line whatever is in it", () => {
    const { log, text } = collecting("info");
    log.error('two\nlines and a "quote"', { reason: 'Error: x\n    at y\r\n\u001b[31m"}' });
    expect(text().endsWith("\n")).toBe(true);
    for (const character of ["\n", "\r", "\u001b"]) expect(text().slice(0, -1)).not.toContain(character);
    expect(JSON.parse(text())).toMatchObject({ reason: 'Error: x\n    at y\r\n\u001b[31m"}' });
  });

  test("has no control that a terminal would obey, and means the same", () => {
    const { log, text } = collecting("info");
    const reason = "x\u009b2J\u007f\u0085y";
    log.warn("x", { reason });
    expect(text()).not.toMatch(/[\x7f-\x9f]/);
    expect(JSON.parse(text())).toMatchObject({ reason });
  });

  test("leaves out fields that are undefined", () => {
    const { log, text } = collecting("info");
    log.warn("x", { there: 1, absent: undefined });
    expect(JSON.parse(text())).not.toHaveProperty("absent");
  });
});

describe("a line for people", () => {
  test("has the time of day, the level, the message and the fields that have a value", () => {
    const { log, text } = collecting("info", true);
    log.warn("the disk is nearly full", { free: 3, note: null, absent: undefined });
    expect(stripVTControlCharacters(text())).toMatch(
      /^\d\d:\d\d:\d\d warn {2}the disk is nearly full free=3\n$/,
    );
  });

  test("lets no value steer the terminal, or look like a line of its own", () => {
    const { log, text } = collecting("info", true);
    log.warn("refused", { reason: "x\u001b[2J\u001b]0;y\u0007\u009b1m\u202e\r\n12:00:00 error z" });
    const lines = text().trimEnd().split("\n");
    expect(lines[0]).toEndWith("x[2J]0;y1m");
    expect(lines.slice(1)).toEqual(["    12:00:00 error z"]);
  });
});

describe("writing", () => {
  test("gathers what is only of interest later, until it is told to write", () => {
    const { log, writes } = collecting("info");
    log.info("one");
    log.info("two");
    log.line("three");
    expect(writes).toEqual([]);
    log.flush();
    expect(writes).toHaveLength(1);
    expect(writes[0]?.split("\n").at(-2)).toBe("three");
  });

  test.each(["warn", "error"] as const)(
    "does not let a line of level %s wait, nor what came before it",
    (level) => {
      const { log, writes } = collecting("info");
      log.info("before");
      log[level]("now");
      expect(writes).toHaveLength(1);
      expect(writes[0]).toContain("before");
      expect(writes[0]).toContain("now");
    },
  );

  test("happens by itself after a moment", async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    new Log({ level: "info", readable: false, write: resolve }).line("by itself");
    expect(new TextDecoder().decode(await promise)).toBe("by itself\n");
  });

  test("happens at once when much has gathered, and loses nothing", () => {
    const { log, writes, text } = collecting("info");
    const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${"x".repeat(60)}`);
    for (const line of lines) log.line(line);
    expect(writes.length).toBeGreaterThan(1);
    for (const write of writes) expect(write.length).toBeLessThanOrEqual(65 * 1024);
    log.flush();
    expect(text()).toBe(`${lines.join("\n")}\n`);
  });

  test("nothing writes nothing", () => {
    const { log, writes } = collecting("info");
    log.flush();
    log.line("x");
    log.flush();
    log.flush();
    expect(writes).toEqual(["x\n"]);
  });
});

describe("standard output", () => {
  const logging = fileURLToPath(new URL("../../src/logging/log.ts", import.meta.url));
  const script = (body: string) =>
    `const { Log } = await import(${JSON.stringify(logging)});
     const log = new Log({ level: "info", readable: false });
     ${body}`;

  test("gets all of a large log, in order, through a pipe that is read slowly", async () => {
    const child = Bun.spawn(
      [process.execPath, "-e", script("for (let n = 0; n < 20000; n++) log.line(String(n)); log.flush();")],
      { stdout: "pipe" },
    );
    const text = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    expect(text).toBe(`${Array.from({ length: 20_000 }, (_, n) => n).join("\n")}\n`);
  });

  test("that nobody reads any more does not take the program down", async () => {
    const child = Bun.spawn(
      [
        process.execPath,
        "-e",
        script(
          'await Bun.stdin.text(); for (let n = 0; n < 20000; n++) log.line("x".repeat(50)); log.flush();',
        ),
      ],
      { stdin: "pipe", stdout: "pipe", stderr: "pipe" },
    );
    await child.stdout.cancel();
    child.stdin.end();
    expect(await new Response(child.stderr).text()).toBe("");
    expect(await child.exited).toBe(0);
  });
});
