import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { targetChunksOf } from "../../src/documents/link-targets.ts";
import { type Rendition, renditionOf } from "../../src/documents/rendition.ts";
import { PAGE_START } from "../../src/html/frame.ts";
import { packedIn, unpacked } from "../../src/packing/packed.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { LinkTree } from "../../src/records/record.ts";
import type { RecordInput } from "../../src/records/schema.ts";
import { shownLinks } from "../../src/records/visibility.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** A view fits the first round trip of a connection. */
const FIRST_FLIGHT = 14 * 1024;

/** A page, and the tree that it is of. */
interface Page extends Rendition {
  readonly tree: LinkTree;
}

function pagesOf(written: unknown): readonly Page[] {
  return pagesOfInput(checkedRecord(written));
}

function pagesOfInput(input: RecordInput): readonly Page[] {
  const { record } = reconcile(input, undefined, Date.parse("2026-04-12"));
  return record.linkTrees.flatMap((tree) => {
    const page = renditionOf(record, { kind: "page", treeId: tree.id });
    return page ? { ...page, tree } : [];
  });
}

function markupIn(page: Page | undefined): string {
  return page ? new TextDecoder().decode(unpacked(page.body)) : "";
}

function markupOf(written: unknown): string {
  return markupIn(pagesOf(written)[0]);
}

/** The first person's record with changes, each at its place. */
function changed(...changes: readonly (readonly [place: string, value: unknown])[]): unknown {
  return changes.reduce<unknown>(
    (record, [place, value]) => withValue(record, place, value),
    writtenRecord(),
  );
}

/** Tags and attributes as a parser for HTML sees them. */
async function parsed(markup: string) {
  const elements: { tag: string; attributes: Record<string, string> }[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element: ({ tagName, attributes }) =>
      void elements.push({ tag: tagName, attributes: Object.fromEntries(attributes) }),
  });
  await rewriter.transform(new Response(`<!doctype html><html><head>${markup}`)).text();
  return { elements };
}

describe("the page of a link tree", () => {
  test("shows title, description and links in the author's order", () => {
    const markup = markupOf(writtenRecord());
    const places = [
      "Person 1</h1>",
      "Everything</p>",
      "All of it.</p>",
      "Home</bdi>",
      "person1.example</small>",
      "Write</bdi>",
    ];
    const found = places.map((text) => markup.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  test("leads to the server's own address of each link, and never to the URL itself", () => {
    const [page] = pagesOf(writtenRecord());
    const markup = markupIn(page);
    expect(markup).not.toContain('"mailto:person1@example.com"');
    const links = [...markup.matchAll(/<li><a href="([^"]*)"/g)].map((match) => match[1] ?? "");
    expect(links).toEqual(page?.tree.links.map(({ id }) => `/t/everything-1/${id}`) ?? []);
  });

  test("says so when there are no links", () => {
    const markup = markupOf(changed(["linkTrees[0].links", []]));
    expect(markup).toContain("There are no links here yet.");
    expect(markup).not.toContain("<nav");
  });

  test("of an ordinary tree has less than 14 KB with all that is added, and so has one of forty links", () => {
    const links = Array.from({ length: 40 }, (_, index) => ({
      label: `An ordinary link, number ${index}`,
      url: `https://site${index}.example/path`,
    }));
    for (const record of [writtenRecord(), changed(["linkTrees[0].links", links])])
      expect(PAGE_START.length + 500 + (pagesOf(record)[0]?.body.length ?? Number.NaN)).toBeLessThan(
        FIRST_FLIGHT,
      );
  });

  test("runs nothing, and asks for nothing but the owner's picture and, once it is wanted, the code to scan", async () => {
    const { elements } = await parsed(markupOf(writtenRecord()));
    const tags = new Set(elements.map(({ tag }) => tag));
    const scripts = elements.filter(({ tag }) => tag === "script").map(({ attributes }) => attributes);
    expect(scripts).toEqual([{ type: "application/ld+json" }]);
    for (const tag of ["iframe", "object", "embed", "form", "base", "video", "style"])
      expect(tags.has(tag)).toBe(false);
    const pictures = elements.filter(({ tag }) => tag === "img").map(({ attributes }) => attributes);
    expect(pictures.map(({ src, loading }) => [src, loading])).toEqual([
      ["https://person1.example/me.png", undefined],
      ["/qr/everything-1.svg", "lazy"],
    ]);
  });

  test("has one heading, and landmarks for what it is about and for its links", async () => {
    const { elements } = await parsed(markupOf(writtenRecord()));
    const count = (wanted: string) => elements.filter(({ tag }) => tag === wanted).length;
    expect([count("h1"), count("main"), count("nav"), count("title")]).toEqual([1, 1, 1, 1]);
  });

  test("keeps its colour when the tree changes, and differs from others", () => {
    const hue = (record: unknown) => /<body class="(h\d)">/.exec(markupOf(record))?.[1];
    expect(hue(changed(["linkTrees[0].title", "New"]))).toBe(hue(writtenRecord()) ?? "");
    const hues = Array.from({ length: 40 }, (_, index) => hue(changed(["linkTrees[0].slug", `s${index}`])));
    expect(new Set(hues).size).toBeGreaterThan(4);
  });

  test("shows links under the headings of their sections, those without one first, and hidden ones nowhere", () => {
    const record = changed([
      "linkTrees[0].links",
      [
        { label: "One", url: "https://one.example/", section: "Work" },
        { label: "Two", url: "https://two.example/" },
        { label: "Secret", url: "https://secret.example/", isHidden: true },
        { label: "Three", url: "https://three.example/", section: "Work" },
      ],
    ]);
    const [page] = pagesOf(record);
    const markup = markupIn(page);
    const found = ["Two</bdi>", "Work</h2>", "One</bdi>", "Three</bdi>"].map((text) => markup.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(markup + page?.scene).not.toMatch(/secret/i);
  });

  test("names the owner's own addresses that are public, for those who verify them", () => {
    const addresses = (record: unknown) =>
      [...markupOf(record).matchAll(/<link rel="me" href="([^"]*)">/g)].map((match) => match[1]);
    expect(addresses(writtenRecord())).toEqual([
      "https://person1.example/",
      "https://codehost.example/person1",
      "https://video.example/person1",
    ]);
    expect(addresses(changed(["profile.isPublic", false]))).toEqual([]);
  });

  test("is not there where its owner has turned it off", () => {
    const pages = pagesOf(changed(["linkTrees[0].hasPage", false]));
    expect(pages.map(({ tree }) => tree.slug)).toEqual(["empty-1"]);
  });

  test("says its language, and our own words in it where we have it", () => {
    const inLanguage = (language: string) => {
      const [page] = pagesOf(changed(["linkTrees[0].links", []], ["profile.language", language]));
      return (page?.opening ?? "") + markupIn(page);
    };
    expect(inLanguage("de-AT")).toStartWith('<!doctype html><html lang="de-AT" dir="ltr">');
    expect(inLanguage("de-AT")).toContain("Hier gibt es noch keine Links.");
    expect(inLanguage("nb")).toContain("There are no links here yet.");
    for (const language of ["ar", "he", "fa-IR", "ur"])
      expect(inLanguage(language)).toStartWith(`<!doctype html><html lang="${language}" dir="rtl">`);
    const words = ["en", "de", "fr", "es", "pt", "ja", "ar", "he"].map(
      (language) => /<p class="empty">([^<]*)</.exec(inLanguage(language))?.[1],
    );
    expect(new Set(words).size).toBe(words.length);
  });

  test("has the theme and the hue that its owner chose", () => {
    const classes = (look: object) =>
      /<body class="([^"]*)"/.exec(markupOf(changed(["linkTrees[0].look", look])))?.[1];
    expect(classes({ theme: "ink", accent: "#ff0000" })).toBe("ink a2");
    expect(classes({ accent: "#0000FF" })).toBe("a18");
    expect(classes({ theme: "night", accent: "#808080" })).toBe("night h1 grey");
    expect(classes({ theme: "paper" })).toMatch(/^paper h\d$/);
  });

  test("is laid out from the right where its title is, unless a language was chosen", () => {
    const opening = (...changes: readonly (readonly [string, unknown])[]) =>
      pagesOf(changed(...changes))[0]?.opening;
    expect(opening()).toEndWith('dir="ltr">');
    for (const title of ["روابطي", "🌊 קישורים", "12 פריטים and English"]) {
      expect(opening(["linkTrees[0].title", title])).toEndWith('dir="rtl">');
      expect(opening(["linkTrees[0].title", title], ["profile.language", "en"])).toEndWith('dir="ltr">');
    }
  });

  test("shows an icon for each link, and has the shape of each that it shows once", () => {
    const icons = (...urls: string[]) => {
      const links = urls.map((url) => ({ label: "Label", url }));
      const noAddresses = [["profile.isPublic", false]] as const;
      const markup = markupOf(changed(["linkTrees[0].links", links], ...noAddresses));
      const names = (pattern: RegExp) => Array.from(markup.matchAll(pattern), (match) => match[1] ?? "");
      expect(names(/<symbol[^>]* id="i-(\w+)"/g)).toEqual([...new Set(names(/<use href="#i-(\w+)"/g))]);
      return names(/<use href="#i-(\w+)"/g);
    };
    expect(icons("https://github.com/a", "https://gist.github.com/a", "https://www.youtube.com/@a")).toEqual([
      "github",
      "github",
      "youtube",
    ]);
    expect(
      icons("https://music.youtube.com/x", "https://a.bandcamp.com", "https://linkedin.com/in/a"),
    ).toEqual(["music", "bandcamp", "work"]);
    expect(
      icons("mailto:a@example.com", "tel:+123", "https://nobody.example/", "https://shop.a.example"),
    ).toEqual(["mail", "telephone", "web", "shop"]);
    expect(
      icons("https://a.example/cv.pdf", "https://notgithub.com/", "https://com/", "http://[::1]/"),
    ).toEqual(["document", "web", "web", "web"]);
  });

  test("shows the owner's public addresses as a row of icons that lead there", () => {
    const row = /<p class="me">.*?<\/p>/.exec(markupOf(writtenRecord()))?.[0] ?? "";
    const addresses = [...row.matchAll(/<a href="([^"]*)" rel="me" title="([^"]*)"/g)].map(
      ([, url, name]) => [url, name],
    );
    expect(addresses).toEqual([
      ["https://person1.example/", "person1.example"],
      ["https://codehost.example/person1", "codehost.example"],
      ["https://video.example/person1", "video.example"],
    ]);
    expect([...row.matchAll(/#i-(\w+)/g)].map(([, name]) => name)).toEqual(["web", "code", "video"]);
    expect(markupOf(changed(["profile.isPublic", false]))).not.toContain('class="me"');
  });

  test("writes international hosts as people do, unless they could pass for others", () => {
    const place = (url: string) =>
      /<small[^>]*>([^<]*)</.exec(markupOf(changed(["linkTrees[0].links", [{ label: "x", url }]])))?.[1];
    expect(place("https://xn--mnchen-3ya.example/a")).toBe("münchen.example");
    expect(place("https://münchen.example/a")).toBe("münchen.example");
    expect(place("https://пример.рф/")).toBe("пример.рф");
    expect(place("https://www.例え.jp/")).toBe("例え.jp");
    // The first letter is Cyrillic.
    expect(place("https://аpple.example/")).toBe("xn--pple-43d.example");
    // All letters of the first part are Cyrillic, or Greek.
    expect(place("https://аррӏе.com/")).toBe("xn--80ak6aa92e.com");
    expect(place("https://www.ηοτ.com/")).toBe("xn--sxaqp.com");
    expect(place("https://сахар.рф/")).toBe("сахар.рф");
    expect(place("https://пример.com/")).toBe("пример.com");
  });

  test("ends with the profile, the contact and a code to scan, or with the code alone where the profile is private", () => {
    const footer = (record: unknown) => /<footer>.*<\/footer>/.exec(markupOf(record))?.[0];
    expect(footer(writtenRecord())).toContain('<a href="/p/person-1">Profile</a> <a href="/p/person-1.vcf"');
    expect(footer(changed(["profile.isPublic", false]))).toStartWith("<footer><details>");
  });

  test("tells programs whom it is about, in words that nothing can break out of", () => {
    const data = (record: unknown) =>
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(markupOf(record))?.[1];
    const name = "</script><b>\u2028&amp;";
    expect(JSON.parse(data(changed(["profile.name.value", name])) ?? "")).toEqual({
      "@context": "https://schema.org",
      "@type": "ProfilePage",
      name: expect.stringContaining("Everything"),
      mainEntity: {
        "@type": "Person",
        name,
        image: "https://person1.example/me.png",
        url: "https://person1.example/",
        sameAs: ["https://codehost.example/person1", "https://video.example/person1"],
      },
    });
    expect(data(changed(["profile.name.isPublic", false]))).toBeUndefined();
  });

  test("says that our words are English where there are none in the language of the profile", () => {
    const footer = (language: string | null) =>
      /<footer[^>]*>/.exec(markupOf(changed(["profile.language", language])))?.[0];
    expect(["vi", "zh-Hant", "de", "en", null].map(footer)).toEqual([
      '<footer lang="en">',
      '<footer lang="en">',
      "<footer>",
      "<footer>",
      "<footer>",
    ]);
  });

  test("has an icon with the owner's initial, and colours for the browser around it", () => {
    const icon = (name: string) =>
      decodeURIComponent(
        /<link rel="icon" href="([^"]*)"/.exec(markupOf(changed(["profile.name.value", name])))?.[1] ?? "",
      );
    expect(icon("ada")).toContain(">A</text></svg>");
    expect(icon("émile")).toContain(">É</text></svg>");
    expect(icon("<b>")).toContain(">&lt;</text></svg>");
    expect(icon("\u200fמרים")).toContain(">מ</text></svg>");
    expect(icon("\u0001\u00adada")).toContain(">A</text></svg>");
    expect(icon("გიორგი")).toContain(">გ</text></svg>");
    const colours = (theme: string) =>
      [
        ...markupOf(changed(["linkTrees[0].look", { theme }])).matchAll(
          /<meta name="theme-color" content="(#[\da-f]{6})"/g,
        ),
      ].length;
    expect([colours("paper"), colours("night")]).toEqual([2, 1]);
  });
});

describe("what names nothing is named by something that does:", () => {
  test.each([
    [
      "an empty title by the owner",
      ["linkTrees[0].title", ""],
      '<h1 dir="auto">Person 1</h1><p class="words"',
    ],
    [
      "an invisible title by the owner",
      ["linkTrees[0].title", "\u200b \u2060"],
      '<h1 dir="auto">Person 1</h1><p class="words"',
    ],
    ["an empty label by the host", ["linkTrees[0].links[0].label", " "], "<bdi>person1.example</bdi>"],
    ["an empty label by the address", ["linkTrees[0].links[1].label", ""], "<bdi>person1@example.com</bdi>"],
    [
      "an empty label of a mail without a receiver by all of its address",
      ["linkTrees[0].links[1]", { label: "", url: "mailto:?subject=Hi" }],
      "<bdi>mailto:?subject=Hi</bdi> </a>",
    ],
    [
      "a mail without a receiver by its label alone",
      ["linkTrees[0].links[1]", { label: "Share", url: "mailto:?subject=Hi" }],
      "<bdi>Share</bdi> </a>",
    ],
  ] as const)("%s", (_, change, expected) => {
    expect(markupOf(changed(change))).toContain(expected);
  });

  test("an empty title without a public name by the slug", () => {
    const record = changed(["linkTrees[0].title", ""], ["profile.isPublic", false]);
    expect(markupOf(record)).toContain('<h1 dir="auto">everything-1</h1>');
  });
});

describe("of the owner", () => {
  const NAME = "Person 1";
  const PICTURE = "https://person1.example/me.png";
  const shown = (...changes: readonly (readonly [string, unknown])[]) => {
    const [page] = pagesOf(changed(...changes));
    const markup = markupIn(page);
    return {
      name: markup.includes(NAME),
      picture: markup.includes(PICTURE),
      origin: page?.pictureOrigin,
    };
  };

  test("name and picture show where both flags say so", () => {
    expect(shown()).toEqual({ name: true, picture: true, origin: "https://person1.example" });
  });

  test("the name is left out where it is private", () => {
    expect(shown(["profile.name.isPublic", false])).toMatchObject({ name: false, picture: true });
  });

  test("the picture is left out where it is private", () => {
    expect(shown(["profile.avatarUrl.isPublic", false])).toEqual({ name: true, picture: false, origin: "" });
  });

  test("both are left out where the profile is private", () => {
    expect(shown(["profile.isPublic", false])).toEqual({ name: false, picture: false, origin: "" });
  });

  test("nothing else of the profile ever shows but its public addresses", () => {
    const secrets = ["phone", "summary", "location"];
    const record = changed(
      ...secrets.map((field) => [`profile.${field}`, { isPublic: true, value: `secret-${field}` }] as const),
    );
    expect(markupOf(record)).not.toContain("secret-");
    expect(markupOf(changed(["linkTrees[0].links", []]))).not.toContain("person1@example.com");
  });

  test("robots may list the page of a public profile, and not that of a private one", () => {
    const robots = (record: unknown) => /name="robots" content="([^"]*)"/.exec(markupOf(record))?.[1];
    expect(robots(writtenRecord())).toBe("index,follow");
    expect(robots(changed(["profile.isPublic", false]))).toBe("noindex,nofollow");
  });
});

describe("a card of the page, where its address is pasted,", () => {
  const meta = (markup: string, name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(markup)?.[1];

  test("has title, description, and words for the picture that the server names", () => {
    const markup = markupOf(writtenRecord());
    expect(meta(markup, "og:title")).toBe("Everything · Person 1");
    expect(meta(markup, "og:description")).toBe("All of it.");
    expect(meta(markup, "description")).toBe("All of it.");
    expect(meta(markup, "og:image:alt")).toBe("Everything · Person 1");
    expect(meta(markup, "og:image")).toBeUndefined();
    expect(markup).toContain("<title>Everything · Person 1</title>");
  });

  test("has a short description of a long one, in one line", () => {
    const markup = markupOf(changed(["linkTrees[0].description", `First\n\nline. ${"🌊".repeat(4000)}`]));
    const description = meta(markup, "description")?.replace("&hellip;", "…") ?? "";
    expect([...description].length).toBeLessThanOrEqual(200);
    expect(description).toStartWith("First line. 🌊");
    expect(description).toEndWith("…");
  });

  test("has no marks that would turn what stands around it", () => {
    const markup = markupOf(changed(["linkTrees[0].title", "abc\u202edef\u2067"]));
    expect(meta(markup, "og:title")).toBe("abcdef · Person 1");
  });
});

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</title><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "--><svg onload=alert(1)>",
  "&lt;b&gt; &amp; &#60;script&#62;",
  "{{constructor.constructor('alert(1)')()}}",
  "\u0001\u0008\u001b[31m\u007f\u0085",
  "\u202e\u2066reversed",
  "$& $1 $` $<x>",
] as const;

describe("hostile content", () => {
  const PLACES = [
    "linkTrees[0].title",
    "linkTrees[0].description",
    "linkTrees[0].slug",
    "linkTrees[0].links[0].label",
    "profile.name.value",
  ];

  test.each(HOSTILE)("%j stays text wherever it stands", async (text) => {
    const plain = await parsed(markupOf(writtenRecord()));
    for (const place of PLACES) {
      // No slug like this comes in any more, but it may be stored.
      const input = withValue(checkedRecord(writtenRecord()), place, text) as RecordInput;
      const { elements } = await parsed(markupIn(pagesOfInput(input)[0]));
      expect({ place, tags: elements.map(({ tag }) => tag) }).toEqual({
        place,
        tags: plain.elements.map(({ tag }) => tag),
      });
      const names = (list: typeof elements) => list.map(({ attributes }) => Object.keys(attributes));
      expect({ place, attributes: names(elements) }).toEqual({ place, attributes: names(plain.elements) });
    }
  });

  test("in a URL stays where the URL is, and the picture's origin is one", () => {
    const url = `https://a.example/"><script>alert(1)</script>;script-src`;
    const [page] = pagesOf(changed(["profile.avatarUrl.value", url], ["linkTrees[0].links[0].url", url]));
    expect(page?.pictureOrigin).toBe("https://a.example");
    expect(markupIn(page)).not.toContain("<script>");
  });

  test("control characters are gone, and nothing is lost with them", () => {
    const markup = markupOf(changed(["linkTrees[0].title", "a\u0001b\u001bc\u0085d"]));
    expect(markup).toContain('<p class="title" dir="auto">abcd</p>');
  });

  test("lines stay apart, whichever system has written them", () => {
    const markup = markupOf(changed(["linkTrees[0].description", "Unix\nWindows\r\nan old Mac\rand now"]));
    expect(markup).toContain("Unix\nWindows\nan old Mac\nand now");
  });
});

test("any record compiles to pages with no more tags than are ours", async () => {
  await fc.assert(
    fc.asyncProperty(anyRecord, async (written) => {
      for (const page of pagesOf(written)) {
        const { elements } = await parsed(markupIn(page));
        const links = shownLinks(page.tree).length;
        const anchors = elements.filter(
          ({ tag, attributes }) => tag === "a" && attributes.rel === "nofollow",
        );
        const others = anchors.filter(({ attributes }) => attributes.href?.endsWith(".vcf"));
        expect(anchors.length - others.length).toBe(links);
        const running = elements.filter(
          ({ tag, attributes }) =>
            tag === "style" || (tag === "script" && attributes.type !== "application/ld+json"),
        );
        expect(running).toEqual([]);
        for (const { attributes } of elements)
          expect(Object.keys(attributes).filter((name) => name.startsWith("on"))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

describe("a tree of very many links", () => {
  const many = (count: number) =>
    changed([
      "linkTrees[0].links",
      Array.from({ length: count }, (_, index) => ({
        label: `Link ${index}`,
        url: `https://l${index}.example/`,
      })),
    ]);
  const treeOf = (count: number) => {
    const [page] = pagesOf(many(count));
    if (!page) throw new Error("no page");
    return page.tree;
  };

  test("has a page that is packed", () => {
    const [page] = pagesOf(many(1000));
    expect(packedIn(page?.body ?? new Uint8Array())).toBeDefined();
  });

  test("says where each link leads in chunks that are in the order of their ids", () => {
    const tree = treeOf(1000);
    const chunks = targetChunksOf([tree]);
    const ids = chunks.flatMap(({ treeId, firstId, targets }) => {
      const ids = Object.keys(JSON.parse(targets) as object);
      expect(treeId).toBe(tree.id);
      expect(ids[0]).toBe(firstId);
      expect(ids.length).toBeLessThanOrEqual(64);
      return ids;
    });
    expect(ids).toHaveLength(1000);
    expect(ids).toEqual(ids.toSorted());
    const urls = Object.assign({}, ...chunks.map(({ targets }) => JSON.parse(targets)));
    expect(urls).toEqual(Object.fromEntries(tree.links.map(({ id, url }) => [id, url])));
  });

  test("leads nowhere by a link that is hidden", () => {
    const tree = treeOf(200);
    const [hidden, ...links] = tree.links;
    if (!hidden) throw new Error("no link");
    const chunks = targetChunksOf([{ ...tree, links: [{ ...hidden, isHidden: true }, ...links] }]);
    expect(chunks.map(({ targets }) => targets).join()).not.toContain(hidden.id);
  });

  test("has no chunks where all would fit one", () => {
    expect(targetChunksOf([treeOf(64)])).toEqual([]);
  });
});
