/** A link of a page, with its words. */
interface PageLink {
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

/** Elements that stand in lines of their own, so that the words of two of them are not one word. */
const LINES = "blockquote dd div dt figcaption h1 h2 h3 h4 h5 h6 li p section td tr".split(" ");

const LINE_ENDS = new RegExp(`<br\\s*/?>|</(?:${LINES.join("|")})>`, "gi");

/** Reads a page with the HTML parser of the runtime: nothing in it is run, and nothing fetched. */
export async function contentOf(html: string): Promise<PageContent> {
  const links: { words: string; name: string; url: string }[] = [];
  const part = () => {
    const last = links.at(-1);
    if (last) last.words += " ";
  };
  const titles = new Gathered();
  const data = new Gathered();
  const rewriter = new HTMLRewriter()
    .on("script#__NEXT_DATA__", data)
    .on("a script, a style, a noscript", HIDDEN)
    .on("a[href]", {
      element(element) {
        const name = element.getAttribute("aria-label") ?? "";
        links.push({ words: "", name, url: addressIn(element.getAttribute("href") ?? "") });
      },
      text(chunk) {
        const last = links.at(-1);
        if (last && !chunk.removed) last.words += chunk.text;
      },
    })
    .on("a[href] br", { element: part })
    .on(LINES.map((name) => `a[href] ${name}`).join(", "), {
      element(element) {
        part();
        element.onEndTag(part);
      },
    })
    .on("a[href] img[alt]", {
      element(element) {
        const last = links.at(-1);
        if (last) last.name ||= element.getAttribute("alt") ?? "";
      },
    })
    // The title of a picture is none of the page's. It may be all that a link says, so it is hidden after the links.
    .on("svg title", HIDDEN)
    .on("title", titles);
  await rewriter.transform(new Response(html)).text();
  return {
    title: plain(titles.texts.find((text) => text !== "") ?? ""),
    data: data.texts.join(""),
    // What shows no words is called as it is to those who cannot see it.
    links: links.map(({ words, name, url }) => ({ words: plain(words) || plain(name), url })),
  };
}

/** An address as browsers read it: what breaks its line is no part of it. */
function addressIn(href: string): string {
  return decoded(href)
    .replaceAll(/[\t\n\r]/g, "")
    .trim();
}

/** Takes text out, so that what is asked after it gathers nothing of it. */
const HIDDEN = {
  text(chunk: HTMLRewriterTypes.Text): void {
    chunk.remove();
  },
};

/** The text within elements, parted where one of them opens. */
class Gathered {
  readonly texts: string[] = [];

  element(): void {
    this.texts.push("");
  }

  text(chunk: HTMLRewriterTypes.Text): void {
    if (!chunk.removed) this.texts.push((this.texts.pop() ?? "") + chunk.text);
  }
}

/** The words of a piece of HTML. */
export async function textOfHtml(html: string): Promise<string> {
  if (!/[<&]/.test(html)) return html.trim();
  const all = new Gathered();
  const lines = html.replaceAll(LINE_ENDS, "\n");
  await new HTMLRewriter()
    .on("script, style", HIDDEN)
    .on("*", all)
    .transform(new Response(`<div>${lines}</div>`))
    .text();
  return decoded(all.texts.join("")).replaceAll("\u00a0", " ").trim();
}

function plain(text: string): string {
  return decoded(text).replaceAll(/\s+/g, " ").trim();
}

/**
 * The parser of HTML leaves character references as they are written. That of Markdown knows all of them by name
 * (CommonMark, section 2.5), and leaves what is none.
 */
function decoded(text: string): string {
  return text.replaceAll(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi, (reference) =>
    Bun.markdown.render(reference),
  );
}
