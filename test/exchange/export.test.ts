import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "yaml";
import { type ExportFormat, FORMATS, written } from "../../src/exchange/export/formats.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { without, withValue } from "../support/edit-record.ts";
import { markedRecord, TRACES } from "../support/marked-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function recordOf(written: unknown = writtenRecord()): UserRecord {
  return reconcile(checkedRecord(written), undefined, Date.UTC(2026, 3, 12)).record;
}

describe.each(Object.keys(FORMATS) as ExportFormat[])("a record as %s", (format) => {
  test("has nothing private in the view of everybody, and all of it in the full one", async () => {
    const record = recordOf(markedRecord());
    const text = await written(record, format, "public");
    // What the public view of the API shows of a job as well.
    const shown = text.replaceAll(/(?:userId|listingId)"?: .*/g, "");
    expect(shown).toContain("Shown Name");
    for (const trace of TRACES) expect(shown).not.toContain(trace);
    expect(await written(record, format, "full")).toContain(TRACES[0] as string);
  });

  test("is made of any record", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (any) => {
        const record = recordOf(any);
        for (const view of ["full", "public"] as const)
          expect(typeof (await written(record, format, view))).toBe("string");
      }),
      { numRuns: 30 },
    );
  });
});

describe("YAML", () => {
  test("says what any record says, without a control character that a terminal could obey", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (any) => {
        const record = recordOf(any);
        const text = await written(record, "yaml", "full");
        expect(parse(text)).toEqual(record);
        expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
      }),
    );
  });

  test("says what any text says, whatever white space its lines begin and end with", async () => {
    const word = fc.constantFrom("Ada", "Some words, too long for one line of this file: ".repeat(3), "?");
    const space = fc.constantFrom(" ", "  ", "\t", "\n", "\r\n");
    const { profile, linkTrees, ...rest } = recordOf();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(word, space), { maxLength: 9 }), async (parts) => {
        const summary = { isPublic: true, value: parts.join("") };
        const links = [{ id: "a", label: parts.join(""), url: "https://ada.example/" }];
        const trees = linkTrees.map((tree) => ({ ...tree, links }));
        const record = { ...rest, profile: { ...profile, summary }, linkTrees: trees };
        expect(parse(await written(record, "yaml", "full"))).toEqual(record);
      }),
      {
        numRuns: 200,
        examples: [
          [["Ada", "\n", " ", "\n", "Some words, too long for a short text", "\n", " "]],
          [["\t", "Some words, too long for one line of this file: ".repeat(3), "\n"]],
          [["?", "\n", "Ada"]],
          [[" ", "\n"]],
        ],
      },
    );
  });

  test("has the values of a profile in a line each", async () => {
    expect(await written(recordOf(), "yaml", "full")).toContain(
      "\n  name: { isPublic: true, value: Person 1 }\n",
    );
  });
});

test("a vCard is folded within 75 octets, and parts nothing that a person wrote", async () => {
  const long = `Æ, b; c\\d\n${"漢".repeat(60)}\u001b`;
  const card = await written(
    recordOf(withValue(writtenRecord(), "profile.summary.value", long)),
    "vcard",
    "full",
  );
  const lines = card.split("\r\n");
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  expect(card.replaceAll("\r\n ", "").split("\r\n")).toEqual([
    "BEGIN:VCARD",
    "VERSION:4.0",
    "KIND:individual",
    "FN:Person 1",
    "N:;Person 1;;;",
    "EMAIL:person1@example.com",
    "TEL:+1 555 0100",
    "ADR:;;;Lisbon;;;",
    "TITLE:Lead",
    "ORG:Now Ltd",
    "PHOTO:https://person1.example/me.png",
    "URL:https://person1.example/",
    "URL:https://codehost.example/person1",
    "URL:https://social.example/person1",
    "URL:https://video.example/person1",
    `NOTE:Æ\\, b\\; c\\\\d\\n${"漢".repeat(60)}`,
    "REV:20260412T000000Z",
    "END:VCARD",
    "",
  ]);
});

test("a vCard has the name once more as a given name, in one piece", async () => {
  const record = recordOf(withValue(writtenRecord(), "profile.name.value", "Ada Lovelace, Countess; of"));
  const card = await written(record, "vcard", "full");
  expect(card).toContain("\r\nN:;Ada Lovelace\\, Countess\\; of;;;\r\n");
});

test("a vCard has a space where a person wrote a tab", async () => {
  const record = recordOf(withValue(writtenRecord(), "profile.name.value", "Ada\tLovelace"));
  expect(await written(record, "vcard", "full")).toContain("\r\nFN:Ada Lovelace\r\n");
});

test.each(["", " \t", "\u200b", "\u0001"])(
  "a vCard has the slug for the name %j, of which nothing can be seen",
  async (name) => {
    const record = recordOf(withValue(writtenRecord(), "profile.name.value", name));
    expect(await written(record, "vcard", "full")).toContain("\r\nFN:person-1\r\n");
  },
);

test("a vCard has no line for a text of which nothing can be seen", async () => {
  const edits = {
    "profile.phone.value": " ",
    "profile.location.value": "\u200b",
    "profile.summary.value": "\n",
    "jobs[1].title": " ",
    "jobs[1].companyName": "\u00ad",
  };
  const edited = Object.entries(edits).reduce<unknown>(
    (found, [place, value]) => withValue(found, place, value),
    writtenRecord(),
  );
  const card = await written(recordOf(edited), "vcard", "full");
  expect(card.match(/^(?:TEL|ADR|TITLE|ORG|NOTE):.*$/gm)).toBeNull();
});

test("JSON-LD is a Person of schema.org, with what is set", async () => {
  expect(JSON.parse(await written(recordOf(), "jsonld", "public"))).toEqual({
    "@context": "https://schema.org",
    "@type": "Person",
    name: "Person 1",
    description: "Makes things.",
    image: "https://person1.example/me.png",
    url: "https://person1.example/",
    sameAs: ["https://codehost.example/person1", "https://video.example/person1"],
    jobTitle: ["Lead"],
    worksFor: [{ "@type": "Organization", name: "Now Ltd", url: "https://now.example/" }],
    alumniOf: [
      { "@type": "EducationalOrganization", name: "University", url: "https://university.example/" },
    ],
  });
});

test("JSON-LD tells where a person studies from where one has studied", async () => {
  const record = recordOf(withValue(writtenRecord(), "education[0].isCurrent", true));
  const { alumniOf, affiliation } = JSON.parse(await written(record, "jsonld", "public"));
  expect(alumniOf).toBeUndefined();
  expect(affiliation).toEqual([
    { "@type": "EducationalOrganization", name: "University", url: "https://university.example/" },
  ]);
});

test("JSON-LD says nothing by texts in which there is nothing to see", async () => {
  const edits = {
    "profile.phone": { isPublic: true, value: " " },
    "profile.location": { isPublic: true, value: "" },
    "profile.summary.value": "\t",
    "jobs[1].title": "",
    "jobs[1].companyName": " ",
    "education[0].institution": "",
  };
  const edited = Object.entries(edits).reduce(
    (found, [place, value]) => withValue(found, place, value),
    without(writtenRecord(), "education[0].institutionUrl"),
  );
  const person = JSON.parse(await written(recordOf(edited), "jsonld", "public"));
  expect(person.worksFor).toEqual([{ "@type": "Organization", url: "https://now.example/" }]);
  expect(Object.keys(person)).toEqual(["@context", "@type", "name", "image", "url", "sameAs", "worksFor"]);
});

describe("Markdown", () => {
  test("reads like a résumé", async () => {
    const page = await written(recordOf(), "markdown", "public");
    expect(page).toStartWith("# Person 1\n\nMakes things.\n\n- [Website](<https://person1.example/>)\n");
    expect(page).toContain(
      "### Lead, [Now Ltd](<https://now.example/>)\n\n*July 2021 – now*\n\nKeeps it running.",
    );
    expect(page).toContain("## Everything\n\nAll of it.\n\n- [Home](<https://person1.example/>)\n");
  });

  async function pageWith(values: Readonly<Record<string, unknown>>, record: unknown = writtenRecord()) {
    const edited = Object.entries(values).reduce(
      (found, [place, value]) => withValue(found, place, value),
      record,
    );
    return written(recordOf(edited), "markdown", "public");
  }

  test("names the role in a project, and both of its addresses", async () => {
    const project = "### [Kite](<https://codehost.example/kite>)\n\nMaker\n\n*February 2020 – March 2020*\n";
    const page = await pageWith({});
    expect(page).toContain(project);
    expect(page).not.toContain("[Source]");
    const shown = await pageWith({ "projects[0].demoUrl": "https://kite.example/" });
    expect(shown).toContain("### [Kite](<https://kite.example/>)\n\nMaker\n");
    expect(shown).toContain("\n\n[Source](<https://codehost.example/kite>)\n");
  });

  test("shows what has no name by what else is known of it", async () => {
    const page = await pageWith({
      "profile.name.value": " ",
      "profile.location": { isPublic: true, value: "" },
      "linkTrees[0].title": "",
      "linkTrees[0].links[0].label": "\t",
      "jobs[0].title": "",
      "projects[0].title": "",
    });
    expect(page).toStartWith("# person-1\n\n");
    expect(page).not.toContain("\n- \n");
    expect(page).toContain("\n## everything-1\n");
    expect(page).toContain("\n- [https://person1.example/](<https://person1.example/>)\n");
    expect(page).toContain("\n### [Past Ltd](<https://past.example/>)\n");
    expect(page).toContain("\n### [https://codehost.example/kite](<https://codehost.example/kite>)\n");
  });

  test("parts a job of which neither title nor company is known from the one before", async () => {
    const page = await pageWith(
      { "jobs[0].title": "", "jobs[0].companyName": "" },
      without(writtenRecord(), "jobs[0].companyUrl"),
    );
    expect(page).toContain("\n\n---\n\n*January 2019 – June 2021*\n");
    expect(page).not.toMatch(/^#+\W*$/m);
  });

  test("takes no text for markup", async () => {
    const hostile = "# no *heading* <b>\n- no list\n1. no list\n[no](https://link.example)";
    const page = await written(
      recordOf(withValue(writtenRecord(), "profile.summary.value", hostile)),
      "markdown",
      "public",
    );
    expect(page).toContain(
      "\\# no \\*heading\\* \\<b\\>  \n\\- no list  \n1\\. no list  \n\\[no\\](https://link.example)",
    );
  });

  test.each([
    ["profile.location.value", "1. Bezirk, Wien", "- 1\\. Bezirk, Wien"],
    ["profile.phone.value", "+ 43 1 5550100", "- \\+ 43 1 5550100"],
    ["education[0].institution", "1. lékařská fakulta", "1\\. lékařská fakulta"],
  ])("begins no list where %s is %s", async (place, value, line) => {
    const record = withValue(withValue(writtenRecord(), "education[0].institutionUrl", null), place, value);
    expect((await written(recordOf(record), "markdown", "full")).split("\n")).toContain(line);
  });
});
