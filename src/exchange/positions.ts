import { parsePlace } from "../records/problems.ts";
import type { Part } from "./parts.ts";
import type { PlacedProblem } from "./problems.ts";
import { JsonPlaces } from "./syntax/json-locate.ts";
import { linesOf } from "./syntax/ndjson.ts";
import { ordinalOf } from "./syntax/place.ts";
import { type Places, type Position, TextLines } from "./syntax/position.ts";
import { textOf } from "./syntax/text.ts";

/** A text that was parsed, so that many of its values can be told the places of. */
interface ParsedText {
  readonly lines: TextLines;
  readonly places: Places;
}

/** The lines of a part, or the one text of a file that is read whole, and those that were parsed so far. */
interface Texts {
  readonly part: Part;
  readonly texts: readonly string[];
  readonly parsed: Map<number, ParsedText>;
}

/** Says where in their files problems are. Files are read again for it, since most have none. */
export class Positions {
  #last: Texts | undefined;

  /** The problems of a part, with their positions. Those of the syntax have theirs. */
  async locate(part: Part, problems: readonly PlacedProblem[]): Promise<PlacedProblem[]> {
    const located: PlacedProblem[] = [];
    for (const problem of problems) {
      const { position = await this.#positionOf(part, problem) } = problem;
      located.push({ ...problem, position });
    }
    return located;
  }

  async #positionOf(part: Part, { record, problem }: PlacedProblem): Promise<Position | null> {
    const ordinal = ordinalOf(record);
    const line = ordinal && "line" in ordinal ? ordinal.line : 0;
    const text = await this.#parsed(part, "lines" in part ? line - part.lines.first : 0);
    if (!text) return null;
    const path = parsePlace(problem.place);
    const { name, value } = text.places.locate(
      ordinal && "index" in ordinal ? [ordinal.index, ...path] : path,
    );
    // A field that is not known is wrong by its name, all else by its value.
    const position = text.lines.positionAt(problem.message.includes("known field") ? name : value);
    return "lines" in part ? { ...position, line } : position;
  }

  async #parsed(part: Part, index: number): Promise<ParsedText | undefined> {
    const { texts, parsed } = await this.#textsOf(part);
    const text = texts[index];
    if (text === undefined) return undefined;
    const known = parsed.get(index);
    if (known) return known;
    const isYaml = "format" in part && part.format === "yaml";
    const now = {
      lines: new TextLines(text),
      places: isYaml ? await placesInYaml(text) : new JsonPlaces(text),
    };
    parsed.set(index, now);
    return now;
  }

  async #textsOf(part: Part): Promise<Texts> {
    if (this.#last && isSameText(this.#last.part, part)) return this.#last;
    const { content } = part.source;
    const { start, end } = "lines" in part ? part.lines : { start: 0, end: content.size };
    const bytes = await content.slice(start, end);
    const texts = ("lines" in part ? [...linesOf(bytes)] : [bytes]).map((one) => {
      const decoded = textOf(one);
      return "text" in decoded ? decoded.text : "";
    });
    this.#last = { part, texts, parsed: new Map() };
    return this.#last;
  }
}

/** Loaded when it is needed: most files have no problem, and many are no YAML. */
async function placesInYaml(text: string): Promise<Places> {
  const { YamlPlaces } = await import("./syntax/yaml-locate.ts");
  return new YamlPlaces(text);
}

function isSameText(one: Part, other: Part): boolean {
  return one.source === other.source && (!("lines" in one) || one === other);
}
