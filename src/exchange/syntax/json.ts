import { formatPlace } from "../../records/problems.ts";
import { type JsonError, jsonErrorOf } from "./json-error.ts";
import { shapeOf, tooDeepAt } from "./json-shape.ts";
import { positionAt } from "./position.ts";
import { repeatedKey } from "./repeated-key.ts";
import type { Fault, Parsed } from "./value.ts";

/** Parses a text, or a line of one, whose number is given then. */
export function parseJson(text: string, line?: number): Parsed {
  const position = (offset: number) => ({ ...positionAt(text, offset), ...(line !== undefined && { line }) });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const error = jsonErrorOf(text);
    return { fault: "is not JSON from here on", ...adviceOn(text, error), position: position(error.offset) };
  }
  const { names, isTooDeep } = shapeOf(value);
  if (isTooDeep) return { fault: "is nested deeper than any record", position: position(tooDeepAt(text)) };
  const repeated = repeatedKey(text, names);
  if (!repeated) return { value };
  const { path, first, second } = repeated;
  const before = position(first);
  const where = line === undefined ? `line ${before.line}, ` : "";
  return {
    fault: `has ${formatPlace(path)} twice: the first is in ${where}column ${before.column}`,
    position: position(second),
  };
}

/** The place where a text stops being JSON. */
interface Stop {
  /** What begins there. Empty at the end. */
  readonly rest: string;
  /** The last sign before it that is no space, and whether it stands right before it. */
  readonly before: string;
  readonly isAdjacent: boolean;
  readonly expected: JsonError["expected"];
}

interface Row {
  readonly mistake: string;
  readonly advice: string;
  isAt(stop: Stop): boolean;
}

/** What people get wrong where a text stops being JSON. The first row that it is about is heard. */
export const JSON_MISTAKES: readonly Row[] = [
  {
    mistake: "a comment",
    advice: "JSON has no comments: take it away",
    isAt: ({ rest }) => /^(?:\/[/*]|#)/.test(rest),
  },
  {
    mistake: "something behind the end",
    advice: "it has ended before: take this away, or make a list of all, [ …, … ]",
    isAt: ({ expected }) => expected === "nothing",
  },
  {
    mistake: "a text that ends too early",
    advice: "the text ends too early: close what is open",
    isAt: ({ rest }) => rest === "" || /^"(?:[^"\\]|\\.)*$/s.test(rest),
  },
  {
    mistake: "quotes of another kind",
    advice: 'use " for quotes',
    isAt: ({ rest }) => /^['‘’“”«»`]/.test(rest),
  },
  {
    mistake: "quotes within a text",
    advice: 'write \\" for quotes within a text',
    isAt: ({ rest, before, isAdjacent }) => before === '"' && isAdjacent && /^[\p{L}\p{N}]/u.test(rest),
  },
  {
    mistake: "a text of several lines",
    advice: "write \\n for the end of a line within a text",
    isAt: ({ rest }) => /^"(?:[^"\\\n]|\\.)*\n/.test(rest),
  },
  {
    mistake: "a backslash that means nothing",
    advice: String.raw`write \\ for a backslash within a text`,
    isAt: ({ rest, expected }) => rest.startsWith('"') && expected !== "end" && expected !== "colon",
  },
  {
    mistake: "a comma too many",
    advice: "take away the comma before it",
    isAt: ({ rest, before }) => before === "," && /^[\]},]/.test(rest),
  },
  {
    mistake: "a bracket that closes another",
    advice: "close [ with ] and { with }",
    isAt: ({ rest, expected }) => /^[\]}]/.test(rest) && expected === "end",
  },
  {
    mistake: "a colon too few",
    advice: "put a colon before it",
    isAt: ({ expected }) => expected === "colon",
  },
  {
    mistake: "a comma too few",
    advice: "put a comma before it",
    isAt: ({ rest, expected }) => expected === "end" && /^["[{\w-]/.test(rest),
  },
  {
    mistake: "another word for yes, no or nothing",
    advice: "write true, false or null",
    isAt: ({ rest }) => /^(?:true|false|yes|no|none|null|nil|undefined|nan)\b/i.test(rest),
  },
  {
    mistake: "a number that begins with a zero, a plus or a point",
    advice: "write the number without it, or in quotes",
    isAt: ({ rest }) => /^(?:0\d|[+.]\d)/.test(rest),
  },
  {
    mistake: "a name or a text without quotes",
    advice: 'put it in quotes: "…"',
    isAt: ({ rest }) => /^[\p{L}\p{N}_$@]/u.test(rest),
  },
];

/** More than any rule looks at. */
const REST_LENGTH = 10_000;

function adviceOn(text: string, { offset, expected }: JsonError): Pick<Fault, "advice"> {
  const start = text.slice(Math.max(0, offset - REST_LENGTH), offset);
  const before = start.trimEnd().at(-1) ?? "";
  const rest = text.slice(offset, offset + REST_LENGTH);
  const stop = { rest, before, isAdjacent: start.at(-1) === before, expected };
  const row = JSON_MISTAKES.find(({ isAt }) => isAt(stop));
  return row ? { advice: row.advice } : {};
}
