import fc from "fast-check";
import { STUDY_LEVELS } from "../../src/contract/fields.ts";
import { BOUNDS } from "../../src/contract/texts.ts";
import { THEMES } from "../../src/records/page-fields.ts";
import { notationsOf } from "./date-notations.ts";
import { placesOf, valueAt, without, withValue } from "./edit-record.ts";

/** What has broken text handling somewhere: each is within the bounds and must come back as it went in. */
const AWKWARD = [
  "",
  " ",
  "👩🏽‍🚀👨‍👩‍👧‍👦🇵🇹",
  "𝒜𐍈𠜎",
  "\u{10ffff}\uffff\ufffe",
  "e\u0301 é Å Å ﬀ",
  "z̷̢͑a̶l̸g̵o",
  "אבג \u202egnirts\u202c العربية",
  "\u0001\u0008\t\n\u000b\r\u001b\u007f\u0085",
  "\u2028\u2029\u200b\u200d\ufeff",
  '"\\/</script><!--$(x)`',
  "İIıß ǅ ΑΣ",
  "{}[],:null",
  "%00 %2F + &amp;",
  "'; DROP TABLE users; --",
];

/** Any character but NUL and half a surrogate pair. The library's own takes a second to make. */
export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 1, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));

/** Any text of all of Unicode, but for the two things the format refuses: NUL and half a surrogate pair. */
export function anyText(limit: number): fc.Arbitrary<string> {
  const short = Math.min(limit, 24);
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: short }) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => first(text, limit)) },
    { weight: 2, arbitrary: fc.constantFrom(...AWKWARD).map((text) => first(text, limit)) },
    { weight: 1, arbitrary: fc.constantFrom("a", "é", "漢", "😀").map((one) => one.repeat(limit)) },
  );
}

/** So many code points of a text. */
function first(text: string, count: number): string {
  return [...text].slice(0, count).join("");
}

const anySlug = anyText(BOUNDS.slug).map((text) => {
  const seen = text.replaceAll(
    /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFD/]/gu,
    "-",
  );
  const allowed = seen.normalize().toLowerCase().normalize();
  const slug = first(allowed.trim(), BOUNDS.slug).trim();
  return ["", ".", ".."].includes(slug) ? `slug${slug}` : slug;
});

const anyPath = anyText(24).map((text) => text.replaceAll(/[\s\p{Cc}]/gu, ""));

const anyWebUrl = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom("http://", "https://"),
        fc.domain(),
        fc.array(fc.tuple(fc.constantFrom("/", "?", "#", "?a="), anyPath), { maxLength: 4 }),
      )
      .map(([scheme, host, rest]) =>
        [scheme, host, ...rest.map(([sign, text]) => sign + encodeURIComponent(text))].join(""),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("http", "https", "HTTPS"), fc.constantFrom("", "q=", "#"), anyPath)
      .map(([scheme, infix, path]) => `${scheme}://a.example/${infix}${path}`),
  },
);

const anyLinkUrl = fc.oneof(
  { weight: 3, arbitrary: anyWebUrl },
  { weight: 1, arbitrary: fc.constantFrom("mailto:a@b.example?subject=%C3%A9", "tel:+15550100", "TEL:911") },
);

const anyEmail = fc.oneof(
  fc.emailAddress().filter((email) => !/["(),:;<>[\]\\]/.test(email)),
  fc.constantFrom("Ada@Example.COM", "用户@例子.example", "o'hara+😀@localhost"),
);

const anyIdentifier = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._~:-]{0,30}$/),
  fc.constantFrom("a".repeat(100), "0", "urn:x:1"),
);

/** Any instant of the years 1 to 9999 in any notation. A day from either end leaves room for every offset. */
export const anyInstant = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-02T00:00:00.000Z"),
      max: new Date("9999-12-30T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    fc.integer({ min: -1439, max: 1439 }),
    fc.nat(),
  )
  .map(([instant, offset, choice]) => {
    const notations = notationsOf(instant, offset);
    return notations[choice % notations.length] ?? instant.toISOString();
  });

const anyTechnologies = fc.oneof(
  { weight: 6, arbitrary: fc.array(anyText(BOUNDS.technology), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant("SQL").map((one) => new Array<string>(BOUNDS.technologies).fill(one)) },
);

function nullable<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.option(value, { nil: null, freq: 3 });
}

function mostly(value: string, others: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: others });
}

function dataField(value: fc.Arbitrary<string>) {
  return fc.record({ isPublic: fc.boolean(), value: nullable(value) });
}

const stamps = { createdAt: anyInstant, updatedAt: anyInstant };

const anyProfile = fc.record(
  {
    updatedAt: anyInstant,
    isPublic: fc.boolean(),
    slug: anySlug,
    name: dataField(anyText(BOUNDS.title)),
    avatarUrl: dataField(anyWebUrl),
    phone: dataField(anyText(BOUNDS.profileValue)),
    url: dataField(anyWebUrl),
    summary: dataField(anyText(BOUNDS.description)),
    location: dataField(anyText(BOUNDS.profileValue)),
    codehostUrl: dataField(anyWebUrl),
    socialnetworkUrl: dataField(anyWebUrl),
    microblogUrl: dataField(anyWebUrl),
    professionalnetworkUrl: dataField(anyWebUrl),
    videoUrl: dataField(anyWebUrl),
    language: nullable(fc.constantFrom("en", "pt-BR", "zh-Hant-TW", "AR")),
  },
  { requiredKeys: ["isPublic", "slug"] },
);

/** Mostly one, so that jobs of one record often share title, company and start. */
const anyRole = mostly("Engineer", anyText(BOUNDS.title));
const anyCompany = mostly("Acme", anyText(BOUNDS.title));
const anyStart = mostly("2020-01-01", anyInstant);

const anyJob = fc
  .record(
    {
      id: anyIdentifier,
      ...stamps,
      title: anyRole,
      startDate: anyStart,
      endDate: nullable(anyInstant),
      isCurrent: fc.boolean(),
      isPublic: fc.boolean(),
      companyName: anyCompany,
      technologies: anyTechnologies,
      description: anyText(BOUNDS.description),
      isRemote: fc.boolean(),
      companyUrl: nullable(anyWebUrl),
      listingId: nullable(anyText(BOUNDS.title)),
    },
    {
      requiredKeys: [
        "title",
        "startDate",
        "isCurrent",
        "isPublic",
        "companyName",
        "technologies",
        "description",
        "isRemote",
      ],
    },
  )
  .map((job) => (job.isCurrent && job.endDate ? { ...job, endDate: null } : job));

const anyProject = fc.record(
  {
    title: anyText(BOUNDS.title),
    shortDescription: anyText(BOUNDS.shortDescription),
    technologies: anyTechnologies,
    isCurrent: fc.boolean(),
    isRemote: fc.boolean(),
    isOpenSource: fc.boolean(),
    description: nullable(anyText(BOUNDS.description)),
    role: nullable(anyText(BOUNDS.title)),
    startDate: nullable(anyStart),
    endDate: nullable(anyInstant),
    repoUrl: nullable(anyWebUrl),
    demoUrl: nullable(anyWebUrl),
  },
  {
    requiredKeys: ["title", "shortDescription", "technologies", "isCurrent", "isRemote", "isOpenSource"],
  },
);

const anyEducation = fc.record(
  {
    institution: anyText(BOUNDS.title),
    institutionUrl: nullable(anyWebUrl),
    studyLevel: fc.constantFrom(...STUDY_LEVELS),
    fieldOfStudy: nullable(anyText(BOUNDS.title)),
    startDate: nullable(anyStart),
    endDate: nullable(anyInstant),
    isCurrent: fc.boolean(),
    description: nullable(anyText(BOUNDS.description)),
  },
  {
    requiredKeys: ["institution", "studyLevel", "isCurrent"],
  },
);

/** The few addresses come up again and again, so that links are often alike. */
const anyLink = fc.record(
  {
    id: anyIdentifier,
    label: fc.oneof(fc.constantFrom("Home", "Blog"), anyText(BOUNDS.title)),
    url: fc.oneof(fc.constantFrom("https://a.example/", "https://b.example/"), anyLinkUrl),
    section: nullable(anyText(BOUNDS.section)),
    isHidden: nullable(fc.boolean()),
  },
  { requiredKeys: ["label", "url"] },
);

const anyLook = fc.record(
  { theme: nullable(fc.constantFrom(...THEMES)), accent: nullable(fc.constantFrom("#1f6feb", "#FFFFFF")) },
  { requiredKeys: [] },
);

const anyLinkTree = fc.record(
  {
    id: anyIdentifier,
    title: anyText(BOUNDS.title),
    description: nullable(anyText(BOUNDS.description)),
    slug: anySlug,
    links: fc.array(anyLink, { maxLength: 4 }).map(withIdsOnce),
    ...stamps,
    look: nullable(anyLook),
    hasPage: nullable(fc.boolean()),
  },
  { requiredKeys: ["title", "slug", "links"] },
);

/** Takes the id from whatever has one that came before. */
function withIdsOnce<Item extends { id?: string }>(items: Item[]): Item[] {
  const seen = new Set<string>();
  return items.map((item) => {
    if (item.id === undefined || !seen.has(item.id)) {
      if (item.id !== undefined) seen.add(item.id);
      return item;
    }
    const { id, ...rest } = item;
    return rest as Item;
  });
}

/** Any valid record as a person or a program could write it: what may be left out is there or is not. */
export const anyRecord = fc
  .record({
    account: fc.record(
      {
        id: anyIdentifier,
        ...stamps,
        codehostId: nullable(fc.maxSafeInteger()),
        email: anyEmail,
        profile: anyProfile,
        education: fc.array(anyEducation, { maxLength: 2 }),
      },
      { requiredKeys: ["email", "profile"] },
    ),
    jobs: fc.array(anyJob, { maxLength: 3 }).map(withIdsOnce),
    withOwner: fc.boolean(),
    projects: fc.array(fc.tuple(anyProject, fc.option(fc.nat())), { maxLength: 3 }),
    linkTrees: fc.uniqueArray(anyLinkTree, { maxLength: 3, selector: (tree) => tree.slug }).map(withIdsOnce),
  })
  .map(({ account, jobs, withOwner, projects, linkTrees }) => {
    const jobIds = jobs.flatMap((job) => job.id ?? []);
    return {
      ...account,
      jobs: withOwner && account.id ? jobs.map((job) => ({ ...job, userId: account.id })) : jobs,
      projects: projects.map(([project, choice]) =>
        choice === null || jobIds.length === 0
          ? project
          : { ...project, jobId: jobIds[choice % jobIds.length] },
      ),
      linkTrees,
    };
  });

/** Any valid record without what is for pages alone, which no answer has. */
export const anyPlainRecord = anyRecord.map(({ profile, linkTrees, ...rest }) => {
  const { language, ...plainProfile } = profile;
  return {
    ...rest,
    profile: plainProfile,
    linkTrees: linkTrees.map(({ look, hasPage, ...tree }) => ({
      ...tree,
      links: tree.links.map(({ section, isHidden, ...link }) => link),
    })),
  };
});

/** What is likely to be wrong wherever it is put, or to belong to somebody else. */
const UNWELCOME = [
  "\0",
  "a\ud800",
  "\udc00",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://a.example/\n",
  "2024-02-30",
  "..",
  "Upper",
  "a/b",
  "😀".repeat(5001),
  "person1@example.com",
  "PERSON1@example.com",
  "person-1",
  "everything-1",
  "job-1-past",
  null,
  true,
  -1,
  1.5,
  1e300,
  [],
  {},
  [null],
  { isPublic: true, value: "x" },
];

/** One change somewhere in a record, of which most make it wrong. */
const anyMutation = fc.record({
  where: fc.nat(),
  from: fc.nat(),
  change: fc.oneof(
    fc.record({ kind: fc.constant("replace" as const), value: fc.constantFrom(...UNWELCOME) }),
    fc.record({ kind: fc.constant("replace" as const), value: fc.jsonValue({ maxDepth: 2 }) }),
    fc.record({ kind: fc.constantFrom("leave out", "add", "copy", "cut", "repeat") }),
  ),
});

interface Mutated {
  /** Where the record was changed. */
  readonly place: string;
  readonly record: unknown;
}

/** Any valid record with one change somewhere in it. */
export const anyMutatedRecord: fc.Arbitrary<Mutated> = fc
  .tuple(anyRecord, anyMutation)
  .map(([record, { where, from, change }]) => {
    const places = placesOf(record);
    const place = places[where % places.length] ?? "email";
    const found = valueAt(record, place);
    switch (change.kind) {
      case "replace":
        return { place, record: withValue(record, place, change.value) };
      case "leave out":
        return { place, record: without(record, place) };
      case "add":
        return typeof found === "object" && found !== null && !Array.isArray(found)
          ? { place, record: withValue(record, `${place}.extra`, from) }
          : { place: "extra", record: withValue(record, "extra", from) };
      case "copy":
        return {
          place,
          record: withValue(record, place, valueAt(record, places[from % places.length] ?? "email")),
        };
      case "cut":
        return {
          place,
          record: withValue(record, place, typeof found === "string" ? found.slice(from % 3, -1) : []),
        };
      default:
        return {
          place,
          record: withValue(record, place, Array.isArray(found) ? [...found, ...found] : found),
        };
    }
  });
