import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renditionText } from "../../src/documents/compare.ts";
import { type Rendition, renditionOf } from "../../src/documents/rendition.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { withPrivateParts } from "../support/private-parts.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function textOf({ body }: Rendition): string {
  return new TextDecoder().decode(renditionText(body));
}

/** The page, and behind it the card for address books. */
function pageOf(record: UserRecord): string | undefined {
  const page = renditionOf(record, { kind: "profile", treeId: "" });
  const card = renditionOf(record, { kind: "card", treeId: "" });
  expect(card === undefined).toBe(page === undefined);
  return page && card && page.opening + textOf(page) + textOf(card);
}

function recordOf(written: unknown): UserRecord {
  return reconcile(checkedRecord(written), undefined, Date.parse("2026-04-12")).record;
}

/** The page of the first person, with changes. */
function markupOf(...changes: readonly (readonly [place: string, value: unknown])[]): string {
  const written = changes.reduce<unknown>(
    (record, [place, value]) => withValue(record, place, value),
    writtenRecord(),
  );
  return pageOf(recordOf(written)) ?? "";
}

describe("the page of a profile", () => {
  test("shows the person, the summary, jobs, projects, education and link trees, in this order", () => {
    const markup = markupOf();
    const places = [
      "<h1>Person 1</h1>",
      "Makes things.</p>",
      "<h2>Work</h2>",
      "Jul 2021 &ndash; now",
      "<h3>Lead</h3>",
      "Now Ltd</a>",
      "Remote</span>",
      "Jan 2019 &ndash; Jun 2021",
      "<h2>Projects</h2>",
      "<h3>Kite</h3>",
      "Open source</span>",
      "<h2>Education</h2>",
      "<h3>Mathematics</h3>",
      "Master’s degree",
      "<h2>Links</h2>",
      '<a href="/t/everything-1">Everything</a>',
    ];
    const found = places.map((text) => markup.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  test("is not there where the profile is private", () => {
    expect(markupOf(["profile.isPublic", false])).toBe("");
  });

  test("leaves out private values and jobs, trees without a page, and sections with nothing in them", () => {
    const markup = markupOf(
      ["jobs[0].isPublic", false],
      ["jobs[1].isPublic", false],
      ["linkTrees[0].hasPage", false],
      ["education", []],
    );
    for (const text of [
      "Past Ltd",
      "Now Ltd",
      "Lisbon",
      "+1 555",
      "Everything",
      "Work</h2>",
      "Education</h2>",
    ])
      expect(markup).not.toContain(text);
    expect(markup).toContain("Empty</a>");
  });

  test("has no list and no line with nothing in it", () => {
    const addresses = ["url", "codehostUrl", "videoUrl"].map(
      (field) => [`profile.${field}.value`, null] as const,
    );
    const { companyUrl: _, ...job } = { ...writtenRecord().jobs[0] };
    const markup = markupOf(
      ...addresses,
      ["jobs[0]", { ...job, companyName: "\u200b" }],
      ["projects[0].role", ""],
      ["projects[0].isOpenSource", false],
      ["projects[0].repoUrl", null],
    );
    expect(markup).toContain("Engineer</h3>");
    expect(markup.match(/<(ul|p)[^>]*>[\s\u200b]*<\/\1>/g)).toBeNull();
  });

  test("of any record has nothing in it that not everybody may see", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = recordOf(written);
        const marked = pageOf(withPrivateParts(record, "not-to-be-seen", 987_654_321)) ?? "";
        expect(marked).not.toContain("not-to-be-seen");
        expect(marked).not.toContain("987654321");
      }),
      { numRuns: 60 },
    );
  });

  test("is in the language of the profile: our words, and how months are written", () => {
    const german = markupOf(["profile.language", "de"]);
    expect(german).toStartWith('<!doctype html><html lang="de" dir="ltr">');
    for (const text of ["Berufserfahrung", "Juli 2021 &ndash; heute", "Kontakt speichern"])
      expect(german).toContain(text);
    expect(markupOf(["profile.language", "ja"])).toContain("2021年7月");
    expect(markupOf(["profile.language", "he"])).toStartWith('<!doctype html><html lang="he" dir="rtl">');
  });

  test("says that our words are English where there are none in the language of the profile", () => {
    const polish = markupOf(["profile.language", "pl"]);
    for (const text of ['<p class="keep" lang="en">', '<h2 lang="en">Work</h2>', '<h2 lang="en">Links</h2>'])
      expect(polish).toContain(text);
    expect(polish).toContain('&ndash; <span lang="en">now</span></p>');
    const levelAlone = ["education[0].fieldOfStudy", null] as const;
    expect(markupOf(["profile.language", "pl"], levelAlone)).toContain('<h3 lang="en">Master’s degree</h3>');
    for (const language of ["de", "pt-BR", "en", null])
      expect(markupOf(["profile.language", language], levelAlone)).not.toMatch(/<(?:h2|h3|span) lang="en">/);
  });

  test.each([
    ["+1 555 0100", ' href="tel:+15550100"'],
    ["(030) 123/45-67", ' href="tel:0301234567"'],
    ["+49 (0)30 1234567", ' href="tel:+49301234567"'],
    ["\u202a+(47)\u00a0555\u2011012\u202c (mobile)", ' href="tel:+47555012"'],
    ["٠٢١ ۱۲۳۴", ' href="tel:0211234"'],
    ["+1 555 0100 ext. 12", ""],
    ["+47 555 012, +47 555 013", ""],
    ["on request", ""],
  ])("has a telephone dial %j as it is meant, or not at all", (number, href) => {
    const markup = markupOf(["profile.phone", { isPublic: true, value: number }]);
    expect(/<a( href="tel:[^"]*")?><svg[^>]*><use href="#i-telephone"\/>/.exec(markup)?.[1] ?? "").toBe(href);
    expect(markup).toContain(`<span dir="ltr">${number}</span>`);
  });

  test("keeps words apart for those who see no style, such as readers of text browsers", () => {
    const lines = markupOf().match(/<p class="where">.*?<\/p>/g) ?? [];
    const texts = lines.map((line) => line.replace(/<[^>]*>/g, ""));
    expect(texts).toEqual([
      "Now Ltd Remote",
      "Past Ltd",
      "Maker Open source Source",
      "University Master’s degree",
    ]);
  });

  test("keeps technologies apart where some are read from right to left", () => {
    const listed = (...names: string[]) =>
      /<p class="with">(.*?)<\/p>/.exec(
        markupOf(["jobs[0].technologies", names], ["jobs[1].technologies", []]),
      )?.[1];
    expect(listed("C++", "Bun")).toBe("C++\u00a0· Bun");
    expect(listed("הנדסה", "C++", "<b>")).toBe(
      "<bdi>הנדסה</bdi>\u00a0· <bdi>C++</bdi>\u00a0· <bdi>&lt;b&gt;</bdi>",
    );
  });

  test.each(["", " ", "\u200b"])("has no heading and no link without words where texts are %j", (nothing) => {
    const markup = markupOf(
      ["jobs[0].title", nothing],
      ["jobs[0].companyName", nothing],
      ["jobs[0].technologies", [nothing, "Bun", nothing]],
      ["projects[0].title", nothing],
      ["projects[0].role", nothing],
      ["education[0].institution", nothing],
    );
    expect(markup).not.toMatch(/<(h3|a|span)\b[^>]*>[\s\u200b]*<\/\1>/);
    expect(markup).not.toMatch(/aria-label="[^"]*:\s*"/);
    const companyUrl = writtenRecord().jobs[0]?.companyUrl ?? "";
    expect(markup).toContain(`<a href="${companyUrl}">${new URL(companyUrl).hostname}</a>`);
    expect(markup).toContain('<p class="with">Bun</p>');
  });

  test("tells programs whom it is about, and names the addresses that others verify by", () => {
    const markup = markupOf(["jobs[1].companyName", "</script><b>"]);
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(markup)?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({
      "@type": "ProfilePage",
      mainEntity: { "@type": "Person", name: "Person 1", worksFor: [{ name: "</script><b>" }] },
    });
    expect(markup.match(/<link rel="me"/g)).toHaveLength(3);
  });

  test.each(["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>"])(
    "keeps %j a text wherever it stands",
    async (text) => {
      const places = [
        "jobs[0].title",
        "jobs[0].companyName",
        "projects[0].title",
        "education[0].institution",
      ];
      const tags = async (markup: string) => {
        const found: string[] = [];
        const rewriter = new HTMLRewriter().on("*", { element: ({ tagName }) => void found.push(tagName) });
        await rewriter.transform(new Response(markup)).text();
        return found;
      };
      const alone = (markup: string) => markup.slice(0, markup.indexOf("</html>"));
      const plain = await tags(alone(markupOf()));
      for (const place of [...places, "profile.name.value", "profile.summary.value", "linkTrees[0].title"])
        expect(await tags(alone(markupOf([place, text])))).toEqual(plain);
    },
  );
});
