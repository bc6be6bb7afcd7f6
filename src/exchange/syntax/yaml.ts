import type { ErrorCode, YAMLParseError } from "yaml";
import { positionAt } from "./position.ts";
import type { Fault, Parsed } from "./value.ts";

/** The most collections and texts that may lie within one another. Those of a record are 7. */
const MAX_DEPTH = 32;

/** Several documents in one file, parted by `---`, are an array of them. One of comments alone has no value. */
export async function parseYaml(text: string): Promise<Parsed> {
  const [{ Composer, Lexer, Parser }, { aliasesOf, MAX_ALIASES }, { documentsWithValue }] = await Promise.all(
    [import("yaml"), import("./yaml-aliases.ts"), import("./yaml-documents.ts")],
  );
  const parser = new Parser();
  const tooDeep = () => parser.stack.length > MAX_DEPTH;
  // What the library does with a text as well, but for the end where it is too deep: each level makes the next dearer.
  function* tokens() {
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme);
      if (tooDeep()) return;
    }
    yield* parser.end();
  }
  const documents = [...new Composer().compose(tokens())];
  if (tooDeep())
    return { fault: "is nested deeper than any record", position: positionAt(text, parser.offset - 1) };
  const error = documents.flatMap((document) => document.errors)[0];
  if (error) return faultOf(text, error.pos[0], error);
  for (const document of documents) {
    const { unknown, excess } = aliasesOf(document);
    if (unknown) return faultOf(text, unknown.range?.[0] ?? 0, { code: "BAD_ALIAS", message: "" });
    if (excess)
      return {
        fault: `has more than ${MAX_ALIASES} aliases, with those within what they stand for`,
        advice: "write out what they stand for",
        position: positionAt(text, excess.range?.[0] ?? 0),
      };
  }
  try {
    const written = documentsWithValue(documents);
    if (written.length === 1 && written[0]?.contents === null) return { value: [] };
    // The library would count aliases by a measure of its own, which 101 of one text exceed.
    const values = written.map((document) => document.toJS({ maxAliasCount: -1 }) as unknown);
    return { value: values.length === 1 ? values[0] : values };
  } catch (cause) {
    return { fault: `is not usable YAML: ${(cause as Error).message}` };
  }
}

/** The place where a text stops being YAML, and what the parser says of it. */
interface Stop {
  readonly code: ErrorCode;
  readonly message: string;
  /** The sign that stands there. */
  readonly sign: string;
  /** The line up to there. */
  readonly before: string;
}

interface Row {
  readonly mistake: string;
  readonly fault: string;
  readonly advice: string;
  isAt(stop: Stop): boolean;
}

/** What people get wrong in YAML: what is told, and what to do. The first row that it is about is heard. */
export const YAML_MISTAKES: readonly Row[] = [
  {
    mistake: "a colon within a text",
    fault: "has a colon within a text",
    advice: "put the text in quotes",
    isAt: ({ code, sign }) =>
      code === "BLOCK_AS_IMPLICIT_KEY" || (code === "UNEXPECTED_TOKEN" && sign === ":"),
  },
  {
    mistake: "a name without a colon",
    fault: "has a name without a colon behind it",
    advice: "put a colon and a space behind the name",
    isAt: ({ code, message }) => code === "MULTILINE_IMPLICIT_KEY" || /^Implicit map keys/.test(message),
  },
  {
    mistake: "a tab",
    fault: "is indented with a tab",
    advice: "use spaces",
    isAt: ({ code }) => code === "TAB_AS_INDENT",
  },
  {
    mistake: "quotes or brackets that nothing closes",
    fault: "does not close what it opens",
    advice: "close the quotes or brackets",
    isAt: ({ code, message }) => code === "MISSING_CHAR" || /must be .*end with a/.test(message),
  },
  {
    mistake: "a line that is indented like no other",
    fault: "is not indented like the lines around it",
    advice: "give fields of one object the same number of spaces",
    isAt: ({ code }) => code === "BAD_INDENT",
  },
  {
    mistake: "a field twice",
    fault: "has a field twice",
    advice: "keep one of the two",
    isAt: ({ code }) => code === "DUPLICATE_KEY",
  },
  {
    mistake: "a text that begins with a sign of YAML",
    fault: "begins a text with a sign that means something else in YAML",
    advice: "put the text in quotes",
    isAt: ({ code, message }) => code === "BAD_SCALAR_START" || /^Block scalar header/.test(message),
  },
  {
    mistake: "a text that begins with *",
    fault: "begins a text with *, which refers to something else in YAML",
    advice: "put the text in quotes",
    isAt: ({ code }) => code === "BAD_ALIAS",
  },
  {
    mistake: "a backslash that means nothing",
    fault: "has a backslash that means nothing",
    advice: "write two of them, or use single quotes",
    isAt: ({ code }) => code === "BAD_DQ_ESCAPE",
  },
  {
    mistake: "a text behind a text in quotes",
    fault: "has something behind a text in quotes",
    advice: "put all of it in one pair of quotes, and write '' for ' within single ones",
    isAt: ({ code, before }) => code === "UNEXPECTED_TOKEN" && /["'][ \t]*$/.test(before),
  },
  {
    mistake: "a list that begins behind a name",
    fault: "begins a list behind a name",
    advice: "begin it on the next line; or, if it is a text, put that in quotes",
    isAt: ({ code, sign, before }) => code === "UNEXPECTED_TOKEN" && sign === "-" && /:[ \t]+$/.test(before),
  },
  {
    mistake: "a field beside a list",
    fault: "is neither of the list above it nor within one of its entries",
    advice: "begin it with a dash, or indent it like the fields of the entry",
    isAt: ({ message, before }) => /^Unexpected scalar at node end/.test(message) && before.trim() === "",
  },
];

function faultOf(
  text: string,
  offset: number,
  { code, message }: Pick<YAMLParseError, "code" | "message">,
): Fault {
  const position = positionAt(text, offset);
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const stop = { code, message, sign: text[offset] ?? "", before };
  const row = YAML_MISTAKES.find(({ isAt }) => isAt(stop));
  if (row) return { fault: row.fault, advice: row.advice, position };
  return { fault: `is not YAML from here on (${message})`, position };
}
