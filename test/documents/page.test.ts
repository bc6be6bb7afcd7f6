import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compile } from "../../src/documents/compile.ts";
import type { Page } from "../../src/documents/page.ts";
import { PAGE_START } from "../../src/html/frame.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** A view fits the first round trip of a connection. */
const FIRST_FLIGHT = 14 * 1024;

function pagesOf(written: unknown): readonly Page[] {
  const { record } = reconcile(checkedRecord(written), undefined, Date.parse("2026-04-12"));
  return compile(record).documents.pages;
}

function markupOf(written: unknown): string {
  return pagesOf(written)[0]?.html ?? "";
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
      "Everything</h1>",
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
    const targets = JSON.parse(page?.targets ?? "") as Record<string, string>;
    expect(Object.values(targets)).toEqual(["https://person1.example/", "mailto:person1@example.com"]);
    const markup = page?.html ?? "";
    const links = [...markup.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? "");
    expect(links).toEqual(Object.keys(targets).map((id) => `/t/everything-1/${id}`));
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
      expect(PAGE_START.length + 500 + (pagesOf(record)[0]?.html.length ?? 0)).toBeLessThan(FIRST_FLIGHT);
  });

  test("has no script and asks for nothing but the owner's picture", async () => {
    const { elements } = await parsed(markupOf(writtenRecord()));
    const tags = new Set(elements.map(({ tag }) => tag));
    for (const tag of ["script", "iframe", "object", "embed", "form", "link", "base", "video", "style"])
      expect(tags.has(tag)).toBe(false);
    const sources = elements.flatMap(({ attributes }) => attributes.src ?? []);
    expect(sources).toEqual(["https://person1.example/me.png"]);
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

  test("is laid out from the right where its title is", () => {
    expect(markupOf(writtenRecord())).toContain('<main class="tree" dir="ltr">');
    for (const title of ["روابطي", "🌊 קישורים", "12 פריטים and English"])
      expect(markupOf(changed(["linkTrees[0].title", title]))).toContain('<main class="tree" dir="rtl">');
  });
});

describe("what names nothing is named by something that does:", () => {
  test.each([
    ["an empty title by the owner", ["linkTrees[0].title", ""], '<h1 dir="auto">Person 1</h1>'],
    [
      "an invisible title by the owner",
      ["linkTrees[0].title", "\u200b \u2060"],
      '<h1 dir="auto">Person 1</h1>',
    ],
    ["an empty label by the host", ["linkTrees[0].links[0].label", " "], "<bdi>person1.example</bdi>"],
    ["an empty label by the address", ["linkTrees[0].links[1].label", ""], "<bdi>person1@example.com</bdi>"],
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
    const markup = page?.html ?? "";
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

  test("nothing else of the profile ever shows", () => {
    const secrets = ["phone", "summary", "location", "codehostUrl", "videoUrl", "url"];
    const record = changed(
      ...secrets.map((field) => {
        const value = /url$/i.test(field) ? `https://secret-${field}.example/` : `secret-${field}`;
        return [`profile.${field}`, { isPublic: true, value }] as const;
      }),
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

  test("has title, description and picture", () => {
    const markup = markupOf(writtenRecord());
    expect(meta(markup, "og:title")).toBe("Everything · Person 1");
    expect(meta(markup, "og:description")).toBe("All of it.");
    expect(meta(markup, "description")).toBe("All of it.");
    expect(meta(markup, "og:image")).toBe("https://person1.example/me.png");
    expect(markup).toContain("<title>Everything · Person 1</title>");
  });

  test("has a short description of a long one, in one line", () => {
    const markup = markupOf(changed(["linkTrees[0].description", `First\n\nline. ${"🌊".repeat(4000)}`]));
    const description = meta(markup, "description") ?? "";
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
      const value = place.endsWith("slug") ? text.toLowerCase().replaceAll(/[\p{Cc}/]/gu, "-") : text;
      const { elements } = await parsed(markupOf(changed([place, value])));
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
    expect(page?.html ?? "").not.toContain("<script");
  });

  test("control characters are gone, and nothing is lost with them", () => {
    const markup = markupOf(changed(["linkTrees[0].title", "a\u0001b\u001bc\u0085d"]));
    expect(markup).toContain('<h1 dir="auto">abcd</h1>');
  });
});

test("any record compiles to pages with no more tags than are ours", async () => {
  await fc.assert(
    fc.asyncProperty(anyRecord, async (written) => {
      for (const page of pagesOf(written)) {
        const { elements } = await parsed(page.html);
        const links = Object.keys(JSON.parse(page.targets) as object).length;
        expect(elements.filter(({ tag }) => tag === "a").length).toBe(links);
        expect(elements.filter(({ tag }) => tag === "script" || tag === "style").length).toBe(0);
        for (const { attributes } of elements)
          expect(Object.keys(attributes).filter((name) => name.startsWith("on"))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});
