import { describe, expect, test } from "bun:test";
import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { VIEWS, type View } from "../../src/contract/access.ts";
import { RESPONSES } from "../../src/contract/responses.ts";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import { publicBody } from "../../src/documents/answer.ts";
import { compile, SLICED_KINDS } from "../../src/documents/compile.ts";
import { renditionOf } from "../../src/documents/rendition.ts";
import { resumeOf } from "../../src/documents/resume.ts";
import { plainAnswer } from "../../src/packing/answer.ts";
import { GZIP_HEADER } from "../../src/packing/gzip.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { answeredProfile, answeredTree, publicLinks, shownRecord } from "../../src/records/visibility.ts";
import { type Answers, answersOf, textOf } from "../support/answers.ts";
import { anyPlainRecord, anyRecord } from "../support/arbitraries.ts";
import { valueAt, withValue } from "../support/edit-record.ts";
import { withPrivateParts } from "../support/private-parts.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** The checksum and the length at the end of a gzip stream. */
const TRAILER_BYTES = 8;

/** What ends a DEFLATE stream, where streams stand before it that do not. */
const LAST_EMPTY_BLOCK = new Uint8Array([1, 0, 0, 0xff, 0xff]);

const NOW = Date.parse("2026-04-12T08:30:00.000Z");

function recordOf(written: unknown = writtenRecord()): UserRecord {
  return reconcile(checkedRecord(written), undefined, NOW).record;
}

/** The tag of every answer by its path. */
function tagsOf({ byKind, bySlug }: Answers): Record<string, string> {
  return Object.fromEntries([
    ...DOCUMENT_KINDS.map((kind) => [kind, byKind[kind].etag]),
    ...bySlug.entries().map(([slug, { etag }]) => [`linktrees/${slug}`, etag]),
  ]);
}

function textsOf({ byKind, bySlug }: Answers): Record<string, string> {
  return Object.fromEntries([
    ...DOCUMENT_KINDS.map((kind) => [kind, textOf(byKind[kind].body)]),
    ...bySlug.entries().map(([slug, { body }]) => [`linktrees/${slug}`, textOf(body)]),
  ]);
}

function changed(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((path) => before[path] !== after[path]);
}

function expectContract({ byKind, bySlug }: Answers): void {
  for (const kind of DOCUMENT_KINDS)
    expect(RESPONSES[kind].safeParse(byKind[kind].json).error).toBeUndefined();
  for (const { json } of bySlug.values()) expect(RESPONSES.linktree.safeParse(json).error).toBeUndefined();
}

describe("the documents of a record", () => {
  test("are as the contract describes them", () => {
    expectContract(answersOf(recordOf()));
  });

  test("hold one for each link tree, by its slug", () => {
    expect([...answersOf(recordOf()).bySlug.keys()]).toEqual(["everything-1", "empty-1"]);
  });

  test("are the same bytes for the same record", () => {
    const record = recordOf();
    expect(compile(structuredClone(record))).toEqual(compile(record));
  });

  test("are UTF-8 without escapes that no reader needs", () => {
    const written = withValue(writtenRecord(), "profile.name.value", "Zoë 👩🏽‍🚀 אבג");
    expect(textOf(answersOf(recordOf(written)).byKind.full.body)).toContain('"value":"Zoë 👩🏽‍🚀 אבג"');
  });

  test("come with the record as text, which parses to the record", () => {
    const record = recordOf();
    expect(compile(record).record).toBe(JSON.stringify(record));
  });

  test("of an empty record are empty arrays", () => {
    const { byKind, bySlug } = answersOf(
      recordOf({ ...writtenRecord(), jobs: [], projects: [], linkTrees: [], education: [] }),
    );
    for (const kind of ["jobs", "projects", "linktrees", "education"] as const)
      expect(textOf(byKind[kind].body)).toBe("[]");
    expect(byKind.full.json).toMatchObject({ jobs: [], projects: [], linkTrees: [], education: [] });
    expect(bySlug.size).toBe(0);
  });
});

describe("the fields, in the order of the spec", () => {
  const STAMPS = ["createdAt", "updatedAt"];
  const DATA_FIELDS = [
    "name",
    "avatarUrl",
    "phone",
    "url",
    "summary",
    "location",
    "codehostUrl",
    "socialnetworkUrl",
    "microblogUrl",
    "professionalnetworkUrl",
    "videoUrl",
  ];
  const LINK_TREE = ["id", "title", "description", "slug", "links", ...STAMPS];
  const JOB = [
    ...STAMPS,
    "userId",
    "title",
    "startDate",
    "endDate",
    "isCurrent",
    "isPublic",
    "companyName",
    "technologies",
    "description",
    "isRemote",
    "companyUrl",
    "listingId",
  ];
  const PROJECT = [
    "title",
    "shortDescription",
    "technologies",
    "isCurrent",
    "isRemote",
    "isOpenSource",
    "description",
    "role",
    "startDate",
    "endDate",
    "repoUrl",
    "demoUrl",
    "jobId",
  ];
  const EDUCATION = [
    "institution",
    "institutionUrl",
    "studyLevel",
    "fieldOfStudy",
    "startDate",
    "endDate",
    "isCurrent",
    "description",
  ];

  const { byKind, bySlug } = answersOf(recordOf());
  const full = byKind.full.json;

  test.each([
    [
      "the full record",
      full,
      [...STAMPS, "codehostId", "email", "profile", "jobs", "projects", "linkTrees", "education"],
    ],
    ["the profile", valueAt(full, "profile"), ["updatedAt", "isPublic", "slug", ...DATA_FIELDS]],
    ...DATA_FIELDS.map((field): [string, unknown, string[]] => [
      `the profile's ${field}`,
      valueAt(full, `profile.${field}`),
      ["isPublic", "value"],
    ]),
    ["a job of the full record", valueAt(full, "jobs[0]"), JOB],
    ["a job", valueAt(byKind.jobs.json, "[1]"), JOB],
    ["a project of the full record", valueAt(full, "projects[0]"), PROJECT],
    ["a project", valueAt(byKind.projects.json, "[0]"), PROJECT],
    ["a link tree of the full record", valueAt(full, "linkTrees[0]"), LINK_TREE],
    ["a link tree of the list", valueAt(byKind.linktrees.json, "[0]"), LINK_TREE],
    ["a link tree", bySlug.get("everything-1")?.json, LINK_TREE],
    ["a link", valueAt(bySlug.get("everything-1")?.json, "links[1]"), ["id", "label", "url"]],
    ["education of the full record", valueAt(full, "education[0]"), EDUCATION],
    ["education", valueAt(byKind.education.json, "[0]"), EDUCATION],
    [
      "the links",
      byKind.links.json,
      ["url", "codehostUrl", "socialnetworkUrl", "microblogUrl", "professionalnetworkUrl", "videoUrl"],
    ],
  ] as [string, unknown, string[]][])("are all that %s has", (_, value, fields) => {
    expect(Object.keys(value as object)).toEqual(fields);
  });
});

describe("the full document", () => {
  test("keeps values that are marked private, with their flags", () => {
    expect(answersOf(recordOf()).byKind.full.json).toMatchObject({
      profile: {
        phone: { isPublic: false, value: "+1 555 0100" },
        socialnetworkUrl: { isPublic: false, value: "https://social.example/person1" },
        professionalnetworkUrl: { isPublic: false, value: null },
      },
    });
  });

  test("holds the other documents as they are", () => {
    const { byKind, bySlug } = answersOf(recordOf());
    expect(valueAt(byKind.full.json, "jobs")).toEqual(byKind.jobs.json);
    expect(valueAt(byKind.full.json, "projects")).toEqual(byKind.projects.json);
    expect(valueAt(byKind.full.json, "linkTrees")).toEqual(byKind.linktrees.json);
    expect(valueAt(byKind.full.json, "education")).toEqual(byKind.education.json);
    expect(byKind.linktrees.json).toEqual(
      bySlug
        .values()
        .map(({ json }) => json)
        .toArray(),
    );
  });

  test("writes every timestamp in UTC to the millisecond", () => {
    const text = textOf(answersOf(recordOf()).byKind.full.body);
    const dates = text.match(/"\d{4}-[^"]*"/g) ?? [];
    expect(dates.length).toBeGreaterThan(10);
    for (const date of dates) expect(date).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/);
  });

  test("does not name the ids of jobs, but projects refer to them", () => {
    const { byKind } = answersOf(recordOf());
    expect(textOf(byKind.jobs.body)).not.toContain("job-1-past");
    expect(valueAt(byKind.projects.json, "[0].jobId")).toBe("job-1-past");
  });
});

describe("the links", () => {
  test("are the profile's addresses, and null where one is private or unset", () => {
    expect(answersOf(recordOf()).byKind.links.json).toEqual({
      url: "https://person1.example/",
      codehostUrl: "https://codehost.example/person1",
      socialnetworkUrl: null,
      microblogUrl: null,
      professionalnetworkUrl: null,
      videoUrl: "https://video.example/person1",
    });
  });

  test.each(["url", "codehostUrl", "socialnetworkUrl", "microblogUrl", "professionalnetworkUrl", "videoUrl"])(
    "show %s exactly when it is public",
    (field) => {
      for (const isPublic of [true, false]) {
        const value = "https://only.example/here";
        const written = withValue(writtenRecord(), `profile.${field}`, { isPublic, value });
        const { links } = answersOf(recordOf(written)).byKind;
        expect(valueAt(links.json, field)).toBe(isPublic ? value : null);
        expect(textOf(links.body).includes(value)).toBe(isPublic);
      }
    },
  );

  test("do not follow the flag of the profile as a whole", () => {
    const hidden = answersOf(recordOf(withValue(writtenRecord(), "profile.isPublic", false)));
    expect(textOf(hidden.byKind.links.body)).toBe(textOf(answersOf(recordOf()).byKind.links.body));
  });
});

describe("a tag", () => {
  test("is strong: quoted, and without W/", () => {
    for (const tag of Object.values(tagsOf(answersOf(recordOf())))) expect(tag).toMatch(/^"[0-9a-z]{1,13}"$/);
  });

  test.each([
    ["email", "else@example.com", ["full", "resume"]],
    ["codehostId", 5, ["full"]],
    ["profile.phone.value", "+1 555 0199", ["full", "resume"]],
    ["profile.socialnetworkUrl.value", "https://social.example/else", ["full", "resume"]],
    ["profile.url.value", "https://else.example/", ["full", "links", "resume"]],
    ["profile.url.isPublic", false, ["full", "links"]],
    ["jobs[0].title", "Else", ["full", "jobs", "resume"]],
    ["projects[0].role", "Else", ["full", "projects", "resume"]],
    ["education[0].description", "Else", ["full", "education"]],
    ["linkTrees[0].title", "Else", ["full", "linktrees", "linktrees/everything-1"]],
    [
      "linkTrees[1].links",
      [{ id: "x", label: "X", url: "https://x.example/" }],
      ["full", "linktrees", "linktrees/empty-1"],
    ],
  ] as [string, unknown, string[]][])(
    "changes with %s in exactly the documents that show it",
    (place, value, paths) => {
      const record = recordOf();
      const before = answersOf(record);
      const after = answersOf(withValue(record, place, value) as UserRecord);
      expect(changed(tagsOf(before), tagsOf(after)).toSorted()).toEqual(paths.toSorted());
      expect(changed(textsOf(before), textsOf(after))).toEqual(changed(tagsOf(before), tagsOf(after)));
    },
  );

  test("changes with the order of what it covers", () => {
    const record = recordOf();
    const turned = { ...record, linkTrees: record.linkTrees.toReversed() };
    const paths = changed(tagsOf(answersOf(record)), tagsOf(answersOf(turned)));
    expect(paths).toEqual(["full", "linktrees"]);
  });

  test("does not change with a job's id, which nothing shows", () => {
    const record = { ...recordOf(), projects: [] };
    const renamed = { ...record, jobs: record.jobs.map((job) => ({ ...job, id: `${job.id}-else` })) };
    expect(tagsOf(answersOf(renamed))).toEqual(tagsOf(answersOf(record)));
  });

  test("differs between two records exactly where the bytes differ", () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, fc.boolean(), (one, other, sameProfile) => {
        const first = recordOf(one);
        const second = recordOf(sameProfile ? { ...other, profile: one.profile, email: one.email } : other);
        const [tags, others] = [tagsOf(answersOf(first)), tagsOf(answersOf(second))];
        const [texts, otherTexts] = [textsOf(answersOf(first)), textsOf(answersOf(second))];
        for (const path of Object.keys(tags).filter((path) => path in others))
          expect(tags[path] === others[path]).toBe(texts[path] === otherTexts[path]);
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is for pages alone", () => {
  test("is in no document, and neither are hidden links", () => {
    const plain = recordOf();
    const [tree, ...others] = plain.linkTrees;
    if (!tree) throw new Error("no tree");
    const hidden = { id: "hidden", label: "Secret", url: "https://secret.example/", isHidden: true };
    const paged: UserRecord = {
      ...plain,
      profile: { ...plain.profile, language: "de" },
      linkTrees: [
        {
          ...tree,
          links: [...tree.links.map((link) => ({ ...link, section: "Mine" })), hidden],
          look: { theme: "ink", accent: "#1f6feb" },
          hasPage: true,
        },
        ...others,
      ],
    };
    expect(compile(paged).documents).toEqual(compile(plain).documents);
    expect(JSON.parse(compile(paged).record)).toEqual(paged);
  });

  test("takes a tree whose page is off out of the public view alone", () => {
    const record = recordOf(withValue(writtenRecord(), "linkTrees[0].hasPage", false));
    const { documents } = compile(record);
    expect(textOf(answersOf(record).byKind.full.body)).toContain('"slug":"everything-1"');
    expect(textOf(answersOf(record, "public").byKind.full.body)).not.toContain("everything-1");
    expect(documents.linkTrees[0]?.publicStart).toBeNull();
    expect([...answersOf(record, "public").bySlug.keys()]).toEqual(["empty-1"]);
    expect(renditionOf(record, { kind: "page", treeId: record.linkTrees[0]?.id ?? "" })).toBeUndefined();
  });
});

/** Every answer of a view as JSON writes the parts of the record, but for the résumé. */
function expectedTexts(record: UserRecord, view: View): Record<string, string> {
  const shown = view === "public" ? shownRecord(record) : record;
  const { createdAt, updatedAt, profile, projects, education } = shown;
  const { codehostId, email } = record;
  const jobs = shown.jobs.map(({ id, ...job }) => job);
  const linkTrees = shown.linkTrees.map(answeredTree);
  const account = view === "public" ? { createdAt, updatedAt } : { createdAt, updatedAt, codehostId, email };
  const values = {
    full: { ...account, profile: answeredProfile(profile), jobs, projects, linkTrees, education },
    linktrees: linkTrees,
    links: publicLinks(profile),
    jobs,
    projects,
    education,
    ...Object.fromEntries(linkTrees.map((tree) => [`linktrees/${tree.slug}`, tree])),
  };
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [path, JSON.stringify(value)]));
}

describe("any record", () => {
  test("compiles to documents as the contract describes them, with nothing lost", () => {
    fc.assert(
      fc.property(anyPlainRecord, (written) => {
        const record = recordOf(written);
        const answers = answersOf(record);
        expectContract(answers);
        const { id, jobs, ...account } = record;
        const shown = { ...account, jobs: jobs.map(({ id, ...job }) => job) };
        expect(answers.byKind.full.json).toEqual(shown);
        expect(answers.byKind.linktrees.json).toEqual(record.linkTrees);
        expect(
          answers.bySlug
            .entries()
            .map(([slug, { json }]) => [slug, json])
            .toArray(),
        ).toEqual(record.linkTrees.map((tree) => [tree.slug, tree]));
        expect(answers.byKind.jobs.json).toEqual(shown.jobs);
        expect(answers.byKind.projects.json).toEqual(record.projects);
        expect(answers.byKind.education.json).toEqual(record.education);
        expect(compile(record).record).toBe(JSON.stringify(record));
      }),
      { numRuns: 100 },
    );
  });

  test("is answered in either view with what JSON writes of its parts", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = recordOf(written);
        for (const view of VIEWS) {
          const { resume, ...texts } = textsOf(answersOf(record, view));
          expect(texts).toEqual(expectedTexts(record, view));
          const resumeSource = view === "public" ? shownRecord(record) : record;
          expect(JSON.parse(resume ?? "")).toEqual(JSON.parse(JSON.stringify(resumeOf(resumeSource))));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("compiles to bodies that any reader of gzip unpacks", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = recordOf(written);
        const { documents } = compile(record);
        const bodies = { full: documents.full.body, public: publicBody(documents) };
        for (const view of VIEWS)
          expect(gunzipSync(bodies[view]).toString()).toBe(expectedTexts(record, view).full ?? "");
      }),
      { numRuns: 40 },
    );
  });

  test("says which answer has which text by the text's own length and checksum", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = recordOf(written);
        const { documents } = compile(record);
        for (const view of VIEWS) {
          const texts = expectedTexts(record, view);
          const { slices } = view === "public" ? documents.public : documents;
          for (const kind of SLICED_KINDS) expect(slices[kind]).toMatchObject(measured(texts[kind]));
        }
        const texts = expectedTexts(record, "full");
        for (const tree of documents.linkTrees)
          expect(tree).toMatchObject(measured(texts[`linktrees/${tree.slug}`]));
      }),
      { numRuns: 40 },
    );
  });
});

function measured(text = "") {
  const bytes = Buffer.from(text);
  return { length: bytes.length, checksum: crc32(bytes) };
}

describe("the body of the public view", () => {
  test("ends with what both views have in common, which is stored once", () => {
    const { documents } = compile(recordOf());
    const { shared, full } = documents.public;
    const whole = publicBody(documents);
    // Here all but the account is public, so everything from the jobs on is shared.
    expect(shared.start).toBe(documents.slices.jobs.start);
    expect(full.body.length).toBe(whole.length - shared.size);
    expect(documents.public.slices.jobs.start).toBe(full.body.length - TRAILER_BYTES);
  });

  test("shares nothing before the last part that differs", () => {
    const record = recordOf(withValue(writtenRecord(), "jobs[0].isPublic", false));
    const { documents } = compile(record);
    const { shared } = documents.public;
    const { jobs, projects } = documents.slices;
    expect(shared.start).toBeGreaterThan(jobs.start);
    // The project names the hidden job, and so is another in each view.
    expect(shared.start).toBe(projects.start + projects.size);
  });

  test("and its tags have nothing in them that is private, for any record", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const [mark, codehostId] = ["not-to-be-seen", 987_654_321];
        const record = withPrivateParts(recordOf(written), mark, codehostId);
        const { documents } = compile(record);
        const { full, links, shared, slices } = documents.public;
        const own = Buffer.concat([full.body.subarray(0, -TRAILER_BYTES), LAST_EMPTY_BLOCK]);
        const ownText = inflateRawSync(own.subarray(GZIP_HEADER.stream.length)).toString();
        const sharedBytes = documents.full.body.subarray(shared.start, shared.start + shared.size);
        const texts = [
          ownText,
          inflateRawSync(sharedBytes).toString(),
          Buffer.from(plainAnswer({ body: links.body, length: null, checksum: null })).toString(),
        ];
        for (const text of texts) {
          expect(text).not.toContain(mark);
          expect(text).not.toContain(String(codehostId));
        }
        const tags = [full.etag, links.etag, ...SLICED_KINDS.map((kind) => slices[kind].etag)];
        const other = compile(withPrivateParts(record, "something-else", 1)).documents.public;
        expect(tags).toEqual([
          other.full.etag,
          other.links.etag,
          ...SLICED_KINDS.map((kind) => other.slices[kind].etag),
        ]);
      }),
      { numRuns: 60 },
    );
  });
});
