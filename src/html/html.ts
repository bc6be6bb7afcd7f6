/** Markup that may stand in a page as it is. Only the `html` tag makes it, so nothing unescaped becomes one. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

type Interpolated = string | Html | readonly Html[] | undefined;

/** Joins markup with values. Every text is escaped, here and nowhere else; what is undefined leaves nothing. */
export function html(markup: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  let joined = markup[0] as string;
  for (let index = 0; index < values.length; index++) joined += rendered(values[index]) + markup[index + 1];
  return new Html(joined);
}

function rendered(value: Interpolated): string {
  if (typeof value === "string") return escaped(value);
  if (value === undefined) return "";
  if (value instanceof Html) return value.toString();
  let all = "";
  for (const item of value) all += rendered(item);
  return all;
}

/** JSON that a page carries for programs, and that no browser runs. Within it nothing can end the element. */
export function jsonBlock(type: string, json: string): Html {
  const text = json.includes("<") ? json.replaceAll("<", "\\u003c") : json;
  return new Html(`<script type="${type}">${text}</script>`);
}

/** Characters that HTML has no place for; tab and newline are the white space that they are. */
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** The ends of lines of Windows and of old Macs, which are control characters, too. */
const LINE_BREAK = /\r\n?/g;

/** Most texts hold nothing that means anything in HTML, and an import renders a dozen of them a record. */
const SUSPECT = /[\p{Cc}<>&"']/u;

/** Text that is only text, between tags and between quotes. */
function escaped(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return Bun.escapeHTML(text.replace(LINE_BREAK, "\n").replace(CONTROL, ""));
}
