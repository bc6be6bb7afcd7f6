import { parsePlace } from "../records/problems.ts";
import type { Part } from "./parts.ts";
import type { PlacedProblem } from "./problems.ts";
import { JsonPlaces } from "./syntax/json-locate.ts";
import { linesOf } from "./syntax/ndjson.ts";
import { ordinalOf } from "./syntax/place.ts";
import { type Position, positionAt, type Span } from "./syntax/position.ts";
import { textOf } from "./syntax/text.ts";
import { locateInYaml } from "./syntax/yaml-locate.ts";

/** Says where in their files problems are. Files are read again for it, since most have none. */
export class Positions {
  #last: { readonly part: Part; readonly texts: readonly string[] } | undefined;

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
    const path = parsePlace(problem.place);
    const texts = await this.#textsOf(part);
    if ("lines" in part) {
      const line = ordinal && "line" in ordinal ? ordinal.line : 0;
      const text = texts[line - part.lines.first];
      if (text === undefined) return null;
      return { ...positionAt(text, pointed(new JsonPlaces(text).locate(path), problem.message)), line };
    }
    const [text = ""] = texts;
    const whole = ordinal && "index" in ordinal ? [ordinal.index, ...path] : path;
    const span =
      part.format === "json" ? new JsonPlaces(text).locate(whole) : await locateInYaml(text, whole);
    return positionAt(text, pointed(span, problem.message));
  }

  /** The lines of a part, or the one text of a file that is read whole. */
  async #textsOf(part: Part): Promise<readonly string[]> {
    if (this.#last && isSameText(this.#last.part, part)) return this.#last.texts;
    const { content } = part.source;
    const { start, end } = "lines" in part ? part.lines : { start: 0, end: content.size };
    const bytes = await content.slice(start, end);
    const texts = ("lines" in part ? [...linesOf(bytes)] : [bytes]).map((one) => {
      const decoded = textOf(one);
      return "text" in decoded ? decoded.text : "";
    });
    this.#last = { part, texts };
    return texts;
  }
}

function isSameText(one: Part, other: Part): boolean {
  return one.source === other.source && (!("lines" in one) || one === other);
}

/** A field that is not known is wrong by its name, all else by its value. */
function pointed({ name, value }: Span, message: string): number {
  return message.includes("known field") ? name : value;
}
