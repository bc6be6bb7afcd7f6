/** Markup that may stand in a page as it is. Only the `html` tag makes it, so nothing unescaped becomes one. */
export class Html {
  readonly #markup: string;

  constructor(markup: string, key: typeof MAKER) {
    if (key !== MAKER) throw new Error("markup is made with the html tag");
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

const MAKER = Symbol("maker of markup");

export type Interpolated = string | Html | readonly Html[] | undefined;

/** Joins markup with values. Every text is escaped, here and nowhere else; what is undefined leaves nothing. */
export function html(markup: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  let joined = markup[0] ?? "";
  for (let index = 0; index < values.length; index++) joined += rendered(values[index]) + markup[index + 1];
  return new Html(joined, MAKER);
}

function rendered(value: Interpolated): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escaped(value);
  return value instanceof Html ? value.toString() : value.join("");
}

/** Characters that HTML has no place for; tab and newline are the white space that they are. */
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** Most texts hold nothing that means anything in HTML, and an import renders a dozen of them a record. */
const SUSPECT = /[\p{Cc}<>&"']/u;

/** Text that is only text, between tags and between quotes. */
function escaped(text: string): string {
  return SUSPECT.test(text) ? Bun.escapeHTML(text.replace(CONTROL, "")) : text;
}
