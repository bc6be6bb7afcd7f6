/** A link of a page, with its words. */
export interface PageLink {
  readonly words: string;
  readonly url: string;
}

/** What of an HTML page says something here. */
export interface PageContent {
  readonly title: string;
  readonly links: readonly PageLink[];
  /** The JSON that a page made with Next.js carries. */
  readonly data: string;
}

/** Reads a page with the HTML parser of the runtime: nothing in it is run, and nothing fetched. */
export async function contentOf(html: string): Promise<PageContent> {
  const links: { words: string; url: string }[] = [];
  const title = new Gathered();
  const data = new Gathered();
  const rewriter = new HTMLRewriter()
    .on("title", title)
    .on("script#__NEXT_DATA__", data)
    .on("a[href]", {
      element(element) {
        links.push({ words: "", url: decoded(element.getAttribute("href") ?? "") });
      },
      text(chunk) {
        const last = links.at(-1);
        if (last) last.words += chunk.text;
      },
    });
  await rewriter.transform(new Response(html)).text();
  return {
    title: plain(title.words),
    data: data.words,
    links: links.map(({ words, url }) => ({ words: plain(words), url: url.trim() })),
  };
}

/** The text within elements. */
class Gathered {
  words = "";

  text(chunk: { readonly text: string }): void {
    this.words += chunk.text;
  }
}

/** The words of a piece of HTML. */
export async function textOfHtml(html: string): Promise<string> {
  if (!/[<&]/.test(html)) return html.trim();
  const all = new Gathered();
  const lines = html.replaceAll(/<br\s*\/?>|<\/p>/gi, "\n");
  await new HTMLRewriter()
    .on("*", all)
    .transform(new Response(`<div>${lines}</div>`))
    .text();
  return decoded(all.words).trim();
}

function plain(text: string): string {
  return decoded(text).replaceAll(/\s+/g, " ").trim();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The parser leaves character references as they are written. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (written, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? written;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}
