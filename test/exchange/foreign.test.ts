import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import type { Resume } from "../../src/contract/resume.ts";
import { resumeOf } from "../../src/documents/resume.ts";
import type { Choices } from "../../src/exchange/foreign/draft.ts";
import { type Brought, bring, FOREIGN, type ForeignFormat } from "../../src/exchange/foreign/formats.ts";
import { fromFull } from "../../src/exchange/foreign/full.ts";
import { fromJsonResume } from "../../src/exchange/foreign/json-resume.ts";
import { fromLinkStack } from "../../src/exchange/foreign/linkstack.ts";
import { fromLinktree } from "../../src/exchange/foreign/linktree.ts";
import { saveOne } from "../../src/exchange/foreign/save.ts";
import { checkOwnRecord } from "../../src/exchange/vocabulary.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { checkRecord, type RecordInput } from "../../src/records/schema.ts";
import { engineAt } from "../../src/store/engines.ts";
import { answersOf } from "../support/answers.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const FILES = new URL("./foreign/", import.meta.url).pathname;
const NOW = Date.parse("2026-04-12T08:30:00.000Z");
const CHOICES: Choices = { isPublic: false, now: NOW };
const BY_ADA: Choices = { ...CHOICES, email: "ada@example.com" };

/** The files of each format, as its program writes them. */
const SAMPLES: Readonly<Record<ForeignFormat, string>> = {
  jsonresume: "resume.json",
  linkedin: "linkedin",
  linkstack: "linkstack.json",
  linktree: "linktree.html",
  full: "full.json",
};

async function brought(
  file: string,
  format: ForeignFormat,
  choices: Partial<Choices> = {},
): Promise<Brought & { input: RecordInput }> {
  const found = await bring(FILES + file, format, { ...BY_ADA, ...choices });
  if ("problems" in found.checked) throw new Error(JSON.stringify(found.checked.problems));
  return { ...found, input: found.checked.input };
}

/** Writes a file and says why it cannot be brought. */
async function refusal(content: string | Uint8Array, format: ForeignFormat, email?: string): Promise<string> {
  using folder = new TemporaryFolder();
  await Bun.write(folder.file("file"), content);
  try {
    await bring(folder.file("file"), format, { ...CHOICES, email });
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing";
}

function shownValues({ profile }: RecordInput): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([name, field]) =>
      typeof field === "object" && field?.value !== null ? [[name, field?.value ?? ""]] : [],
    ),
  );
}

test("a JSON Resume is taken over as far as a record has a place for it", async () => {
  const { input, leftOut } = await brought("resume.json", "jsonresume");
  expect(input.profile.slug).toBe("ada-lovelace");
  expect(shownValues(input)).toEqual({
    name: "Ada Lovelace",
    phone: "+44 20 5550 0100",
    url: "https://ada.example",
    summary: "Writes notes longer than the paper.",
    location: "London, GB",
    codehostUrl: "https://github.com/ada",
    microblogUrl: "https://twitter.com/ada",
  });
  expect(input.jobs).toMatchObject([
    {
      title: "Analyst",
      companyName: "Analytical Engines",
      startDate: "1842-02-01T00:00:00.000Z",
      endDate: null,
      isCurrent: true,
      isPublic: false,
      description: "Translated a memoir.\n- Added notes.\n- Found the Bernoulli numbers.",
    },
    { companyName: "Difference Engines", startDate: "1833-01-01T00:00:00.000Z", isCurrent: false },
  ]);
  expect(input.jobs[1]).not.toHaveProperty("companyUrl");
  expect(input.projects).toMatchObject([
    { title: "Note G", description: "Loops.\nConditions.", role: "Author", isCurrent: false },
  ]);
  expect(input.education).toMatchObject([
    {
      fieldOfStudy: "Mathematics",
      studyLevel: "OTHER",
      description: "Private lessons\n- Algebra\n- Geometry",
    },
  ]);
  expect(input.linkTrees).toMatchObject([
    { slug: "ada-lovelace", links: [{ label: "ORCID", url: "https://orcid.example/0000-0001" }] },
  ]);
  expect(leftOut).toEqual([
    'basics.label: "Analyst"',
    'basics.profiles[3]: "SoundCloud ada" has no address',
    'skills[0]: "Poetical science"',
    'languages[0]: "French"',
    'work[0].x-mood: "eager"',
    'work[2]: "Guest" has no start, which a job must have',
    'projects[0].entity: "Analytical Engines"',
    'education[0].score: "excellent"',
  ]);
});

describe("a JSON Resume", () => {
  test("has all listed that a record has no place for, known to the format or not", async () => {
    const resume = {
      $schema: "https://schema.example/",
      meta: { version: "v0.1.0" },
      basics: {
        website: "https://ada.example/",
        picture: "https://ada.example/old.png",
        image: "https://ada.example/new.png",
        company: "Engines",
        location: { city: "London", country: "England" },
        profiles: [{ network: "GitHub", username: "ada", url: "https://github.com/ada", since: 1842 }],
      },
      work: [{ company: "Engines", website: "https://engines.example/", startDate: "1842", team: "Notes" }],
      projects: [{ name: "Note G", company: "Engines", budget: 0, partners: [] }],
      education: [{ institution: "Tutors", website: "https://tutors.example/", gpa: "4.0" }],
      patents: [{ name: "A loop" }, "A card", {}],
      volunteer: [],
      motto: "Poetical science",
    };
    const { record, leftOut } = await fromJsonResume(resume, BY_ADA);
    expect(record).toMatchObject({
      profile: {
        url: { value: "https://ada.example/" },
        avatarUrl: { value: "https://ada.example/new.png" },
        codehostUrl: { value: "https://github.com/ada" },
      },
      jobs: [{ companyName: "Engines", companyUrl: "https://engines.example/" }],
      education: [{ institutionUrl: "https://tutors.example/" }],
    });
    expect(leftOut).toEqual([
      'basics.picture: "https://ada.example/old.png"',
      'basics.company: "Engines"',
      'basics.location.country: "England"',
      'basics.profiles[0].since: "1842"',
      'patents[0]: "A loop"',
      'patents[1]: "A card"',
      'patents[2]: ""',
      'motto: "Poetical science"',
      'work[0].team: "Notes"',
      'projects[0].company: "Engines"',
      'projects[0].budget: "0"',
      'education[0].gpa: "4.0"',
    ]);
  });

  test("may have numbers for texts, and in parts that are not taken over anything at all", async () => {
    const resume = {
      basics: {
        phone: 4420555,
        location: { postalCode: 12345 },
        profiles: [{ network: "So", username: 42 }],
      },
      work: [{ name: "Engines", startDate: 1842, endDate: 1843, location: { city: "London" } }],
      education: [{ institution: "Tutors", score: 1.5 }],
      skills: [{ name: "Loops", level: 5 }, "Cards"],
      interests: "Poetry",
    };
    const { record, leftOut } = await fromJsonResume(resume, BY_ADA);
    expect(record).toMatchObject({
      profile: { phone: { value: "4420555" }, location: { value: "12345" } },
      jobs: [{ startDate: "1842", endDate: "1843" }],
    });
    expect(leftOut).toEqual([
      'basics.profiles[0]: "So 42" has no address',
      'skills[0]: "Loops"',
      'skills[1]: "Cards"',
      'interests: "Poetry"',
      'work[0].location: {"city":"London"}',
      'education[0].score: "1.5"',
    ]);
  });

  test("may say in one text where its owner lives", async () => {
    const { record } = await fromJsonResume({ basics: { location: "London, GB" } }, BY_ADA);
    expect(record).toMatchObject({ profile: { location: { value: "London, GB" } } });
  });

  test.each([
    ["Bachelor", "BACHELOR", null],
    ["high school", "HIGH_SCHOOL", null],
    ["Bachelor of Fine Arts (Hons)", "BACHELOR", "Bachelor of Fine Arts (Hons)"],
    ["Diplom", "OTHER", "Diplom"],
  ])("keeps the words of a degree that says more than its level: %s", async (studyType, level, words) => {
    const { record, leftOut } = await fromJsonResume({ education: [{ studyType }] }, BY_ADA);
    expect(record.education).toMatchObject([{ studyLevel: level, description: words }]);
    expect(leftOut).toEqual([]);
  });

  test("has listed what should be a list of words and is none", async () => {
    const work = [{ name: "Engines", startDate: "1842", keywords: "cards, loops" }];
    const { leftOut } = await fromJsonResume({ work }, BY_ADA);
    expect(leftOut).toEqual(['work[0].keywords: "cards, loops" is no list']);
  });

  test("may have blanks around the e-mail address", async () => {
    const { record } = await fromJsonResume({ basics: { email: " ada@example.com\n" } }, CHOICES);
    expect(record.email).toBe("ada@example.com");
  });

  test("has addresses to write to or to call in the link tree", async () => {
    const profiles = [
      { network: "Email", url: "mailto:ada@example.com" },
      { network: "Telephone", url: "tel:+44205550100" },
    ];
    const { record, leftOut } = await fromJsonResume({ basics: { profiles } }, BY_ADA);
    expect(leftOut).toEqual([]);
    expect(record.linkTrees).toMatchObject([
      {
        links: [
          { label: "Email", url: "mailto:ada@example.com" },
          { label: "Telephone", url: "tel:+44205550100" },
        ],
      },
    ]);
  });

  test("may be written as YAML, as a plain import finds out", async () => {
    using folder = new TemporaryFolder();
    await Bun.write(folder.file("resume.yaml"), "basics:\n  name: Ada\nwork:\n  - startDate: 1842\n");
    const { record } = await bring(folder.file("resume.yaml"), "jsonresume", BY_ADA);
    expect(record).toMatchObject({ profile: { name: { value: "Ada" } }, jobs: [{ startDate: "1842" }] });
  });

  test("has listed what its owner is called elsewhere, unless an address says it", async () => {
    const profiles = [
      { network: "GitHub", username: "Ada", url: "https://github.com/ada" },
      { network: "Mastodon", username: "@ada", url: "https://social.example/@ada" },
      { network: "Discord", username: "ada#1842", url: "https://discord.com" },
      { network: "Signal", username: "ada.1842" },
    ];
    const { leftOut } = await fromJsonResume({ basics: { profiles } }, BY_ADA);
    expect(leftOut).toEqual([
      'basics.profiles[2].username: "ada#1842"',
      'basics.profiles[3]: "Signal ada.1842" has no address',
    ]);
  });

  test.each([
    ["stays short up to 500 characters", 500, { shortDescription: "a".repeat(500), description: "Loops." }],
    ["is a long one beyond", 501, { shortDescription: "", description: `${"a".repeat(501)}\nLoops.` }],
  ])("has a description of a project that %s", async (_, length, expected) => {
    const projects = [{ name: "Note G", description: "a".repeat(length), highlights: ["Loops."] }];
    const { record, leftOut } = await fromJsonResume({ basics: {}, projects }, BY_ADA);
    expect(record.projects).toMatchObject([expected]);
    expect(leftOut).toEqual([]);
  });
});

describe("LinkedIn's archive", () => {
  test("is taken over from the folder that it was unpacked to", async () => {
    const { input, leftOut } = await brought("linkedin", "linkedin");
    expect(shownValues(input)).toEqual({
      name: "Ada Lovelace",
      summary: "Writes notes,\nlonger than the paper.",
      location: "London, England",
      microblogUrl: "https://twitter.com/ada",
      url: "https://ada.example",
    });
    expect(input.jobs).toMatchObject([
      {
        title: "Analyst",
        description: 'Translated a memoir.\nAdded "notes".',
        startDate: "1842-02-01T00:00:00.000Z",
        isCurrent: true,
      },
      { title: "Visitor", startDate: "1833-01-01T00:00:00.000Z", endDate: "1840-12-01T00:00:00.000Z" },
    ]);
    expect(input.education).toMatchObject([{ institution: "Private tutors", studyLevel: "BACHELOR" }]);
    expect(input.projects).toMatchObject([{ shortDescription: "The first published program." }]);
    expect(input.linkTrees).toMatchObject([
      { links: [{ label: "Blog", url: "https://blog.ada.example/?a=1,2" }] },
    ]);
    expect(leftOut).toEqual([
      'Profile.csv, Headline: "Analyst"',
      'Profile.csv, Industry: "Computing"',
      'Positions.csv, row 1, Location: "London, England"',
      'Positions.csv, row 3: "Guest" has no start, which a job must have',
    ]);
  });

  test("has listed what else it says of its member, and nothing of what its member did", async () => {
    using folder = new TemporaryFolder();
    await Bun.write(folder.file("Profile.csv"), "First Name,Last Name\nAda,Lovelace\n");
    await Bun.write(folder.file("Skills.csv"), "Name\nAlgebra\nFrench\n");
    await Bun.write(folder.file("PhoneNumbers.csv"), "Extension,Number,Type\n,+44 20 7946 0000,Mobile\n");
    await Bun.write(folder.file("messages.csv"), "FROM,TO,CONTENT\nAda,Charles,Hello\n");
    const { leftOut } = await bring(folder.path, "linkedin", BY_ADA);
    expect(leftOut).toEqual([
      'PhoneNumbers.csv, row 1: "+44 20 7946 0000"',
      'Skills.csv, row 1: "Algebra"',
      'Skills.csv, row 2: "French"',
    ]);
  });

  test("has columns listed that are not known", async () => {
    using folder = new TemporaryFolder();
    await Bun.write(folder.file("Profile.csv"), "First Name,Pronouns,Summary\nAda,she/her,\n");
    await Bun.write(folder.file("Projects.csv"), "Title,Team\nNote G,Charles\n");
    await Bun.write(folder.file("Education.csv"), "School Name,Grade\nTutors,excellent\n");
    const { leftOut } = await bring(folder.path, "linkedin", BY_ADA);
    expect(leftOut).toEqual([
      'Profile.csv, Pronouns: "she/her"',
      'Projects.csv, row 1, Team: "Charles"',
      'Education.csv, row 1, Grade: "excellent"',
    ]);
  });

  test.each([
    ["[PERSONAL:https://ada.example/a,b,BLOG:https://blog.example]"],
    ["PERSONAL:https://ada.example/a,b, BLOG:https://blog.example"],
  ])("has its web sites told apart in %s, as LinkedIn writes or wrote them", async (websites) => {
    using folder = new TemporaryFolder();
    await Bun.write(folder.file("Profile.csv"), `First Name,Websites\nAda,"${websites}"\n`);
    const { record, leftOut } = await bring(folder.path, "linkedin", BY_ADA);
    expect(leftOut).toEqual([]);
    expect(record).toMatchObject({
      profile: { url: { value: "https://ada.example/a,b" } },
      linkTrees: [{ links: [{ label: "Blog", url: "https://blog.example" }] }],
    });
  });

  test.each([["Started On,Finished On"], ["Start Date,End Date"]])(
    "has the time of a project under %s, as LinkedIn writes or wrote it",
    async (columns) => {
      using folder = new TemporaryFolder();
      await Bun.write(folder.file("Profile.csv"), "First Name\nAda\n");
      await Bun.write(folder.file("Projects.csv"), `Title,${columns}\nNote G,Aug 1842,Jul 1843\n`);
      const { record, leftOut } = await bring(folder.path, "linkedin", BY_ADA);
      expect(leftOut).toEqual([]);
      expect(record).toMatchObject({ projects: [{ startDate: "1842-08", endDate: "1843-07" }] });
    },
  );

  test("is taken over as it was downloaded, with its e-mail address", async () => {
    using folder = new TemporaryFolder();
    const names = ["Profile.csv", "Positions.csv"];
    const files = await Promise.all(
      names.map(
        async (name) => [`Export/${name}`, await Bun.file(`${FILES}linkedin/${name}`).bytes()] as const,
      ),
    );
    const emails =
      "Email Address,Confirmed,Primary,Updated On\nold@example.com,Yes,No,\nada@example.com,Yes,Yes,\n";
    const zip = zipSync({ ...Object.fromEntries(files), "Email Addresses.csv": strToU8(emails) });
    await Bun.write(folder.file("export.zip"), zip);
    const { record, leftOut } = await bring(folder.file("export.zip"), "linkedin", CHOICES);
    expect(record).toMatchObject({
      email: "ada@example.com",
      jobs: [{ title: "Analyst" }, { title: "Visitor" }],
    });
    expect(leftOut).toContain('Email Addresses.csv, row 1: "old@example.com"');
  });
});

test("an export of LinkStack keeps order, titles and headings", async () => {
  const { input, leftOut } = await brought("linkstack.json", "linkstack");
  expect(input.linkTrees).toMatchObject([
    {
      title: "Ada Lovelace",
      slug: "ada",
      description: "Notes & numbers.\nSince 1842.",
      links: [
        { label: "Website", url: "https://ada.example/" },
        { label: "Write to me", url: "mailto:ada@example.com", section: "Elsewhere" },
      ],
    },
  ]);
  expect(input.linkTrees[0]?.links[0]).not.toHaveProperty("section");
  expect(leftOut).toEqual(['link 4: "javascript:alert(1)" is no address that a record can have']);
});

describe("the picture in an export of LinkStack", () => {
  const PUBLIC = { publicUrl: "https://links.example" };
  const png = (size: number) => {
    const bytes = Buffer.alloc(size);
    bytes.write("89504e470d0a1a0a", "hex");
    return bytes;
  };

  async function withPicture(image: unknown, choices: Partial<Choices> = PUBLIC) {
    const value = { littlelink_name: "ada", email: "ada@example.com", links: [], image_data: image };
    return fromLinkStack(value, { ...CHOICES, ...choices });
  }

  test.each([
    ["as it is", (base64: string) => base64],
    ["as a data URL", (base64: string) => `data:image/png;base64,${base64}`],
  ])("is taken over, %s, and the record has its address", async (_, written) => {
    const bytes = png(256 * 1024);
    const { record, picture, leftOut } = await withPicture(written(bytes.toString("base64")));
    expect(picture).toMatchObject({ type: "image/png" });
    expect(Buffer.from(picture?.bytes ?? []).equals(bytes)).toBe(true);
    const value = `https://links.example/media/${picture?.hash}.png`;
    expect(record.profile).toMatchObject({ avatarUrl: { isPublic: false, value } });
    expect(leftOut).toEqual([]);
  });

  test.each([
    ["that is too large", png(256 * 1024 + 1).toString("base64"), "the picture has more than 256 KB"],
    ["that is a GIF", Buffer.from("GIF89a").toString("base64"), "is no JPEG, PNG or WebP picture"],
    ["that is not base64", "<svg>", "is no JPEG, PNG or WebP picture"],
    ["that is no text", { a: 1 }, "is no JPEG, PNG or WebP picture"],
  ])("%s is left out, with the reason", async (_, image, reason) => {
    const { record, picture, leftOut } = await withPicture(image);
    expect(leftOut).toEqual([`image_data: ${reason}`]);
    expect(picture).toBeUndefined();
    expect(record.profile).not.toHaveProperty("avatarUrl");
  });

  test("has no address where it cannot be stored", async () => {
    const { record, picture } = await withPicture(png(100).toString("base64"), {});
    expect(picture).toBeDefined();
    expect(record.profile).not.toHaveProperty("avatarUrl");
  });

  test("is stored with its record, again and again, and not by a dry run", async () => {
    using folder = new TemporaryFolder();
    const database = { engine: "sqlite", file: folder.file("vitrine.db") } as const;
    const { input, picture } = await brought("linkstack.json", "linkstack", PUBLIC);
    const stored = async () => {
      const reader = await (await engineAt(database)).openReader();
      const found = await reader.readPicture(picture?.hash ?? "");
      await reader.close();
      return found?.type;
    };
    await saveOne({ input }, database, false);
    expect(await saveOne({ input, picture }, database, true)).toMatchObject({ change: "unchanged" });
    expect(await stored()).toBeUndefined();
    expect(await saveOne({ input, picture }, database, false)).toMatchObject({ change: "unchanged" });
    expect(await stored()).toBe("image/png");
  });
});

test("a page of which no link can be taken keeps its title and its words", async () => {
  const words = { littlelink_name: "ada", name: "Ada", littlelink_description: "Notes." };
  const { record } = await fromLinkStack({ ...words, links: [{ title: "Talks" }] }, BY_ADA);
  expect(record.linkTrees).toMatchObject([{ title: "Ada", description: "Notes.", links: [] }]);
});

describe("a saved page", () => {
  const INSTAGRAM = { type: "INSTAGRAM", url: "https://instagram.com/ada" };

  test("of Linktree is read by the data that it carries", async () => {
    const { input, leftOut } = await brought("linktree.html", "linktree");
    expect(shownValues(input)).toEqual({
      avatarUrl: "https://pictures.example/ada.png",
      socialnetworkUrl: "https://instagram.com/ada",
    });
    expect(input.linkTrees).toMatchObject([
      {
        title: "Ada Lovelace",
        slug: "ada",
        description: "Notes & numbers",
        links: [
          { label: "Website", url: "https://ada.example/" },
          { label: "Note G", url: "https://engines.example/note-g" },
          { label: "On loops", url: "https://engines.example/loops", section: "Talks" },
          { label: "email address", url: "mailto:ada@example.com" },
        ],
      },
    ]);
    expect(input.linkTrees[0]?.links.map(({ section }) => section ?? null)).toEqual([
      null,
      null,
      "Talks",
      null,
    ]);
    expect(leftOut).toEqual(['link 5: "Shop" has no links below it']);
  });

  test.each([
    ["beside the account", { account: { pageTitle: "Ada" }, socialLinks: [INSTAGRAM] }],
    ["within the account", { account: { pageTitle: "Ada", socialLinks: [INSTAGRAM] } }],
  ])("of Linktree may have its networks %s, and nothing else", async (_, pageProps) => {
    const data = JSON.stringify({ props: { pageProps } });
    const { record } = await fromLinktree(`<script id="__NEXT_DATA__">${data}</script>`, BY_ADA);
    expect(record).toMatchObject({
      profile: { socialnetworkUrl: { value: INSTAGRAM.url } },
      linkTrees: [{ title: "Ada", links: [] }],
    });
  });

  test("of anybody is read by its links", async () => {
    const { input } = await brought("plain-links.html", "linktree");
    expect(input.linkTrees).toMatchObject([
      {
        title: "Ada & friends",
        links: [
          { label: "My site", url: "https://ada.example/?a=1&b=2" },
          { label: "Write", url: "mailto:ada@example.com" },
        ],
      },
    ]);
  });
});

test("of a saved page, all links that lead elsewhere are taken or listed, and no others", async () => {
  const urls = [
    "//ada.example/a",
    "/b",
    "c.html",
    "#d",
    "javascript:void(0)",
    "file:///e.html",
    "SMS:+4420",
    "?f",
  ];
  const html = urls.map((url) => `<a href="${url}">Ada</a>`).join("");
  const { record, leftOut } = await fromLinktree(html, BY_ADA);
  expect(record.linkTrees).toMatchObject([{ links: [{ url: "https://ada.example/a" }] }]);
  expect(leftOut).toEqual(['link 7: "SMS:+4420" is no address that a record can have']);
});

describe("what a page says in HTML", () => {
  const PICTURE = "<svg><title>Picture</title><style>.a{}</style></svg>";
  const WRITTEN = "Caf&eacute; &ndash; 5&nbsp;&euro; &amp;amp; &#x1F600;&#8212;&hellip; &nothing; &copy";
  const READ = "Café – 5 € &amp; 😀—… &nothing; &copy";

  async function treeOf(html: string) {
    const { record } = await fromLinktree(html, BY_ADA);
    return { slug: (record.profile as { slug: string }).slug, tree: (record.linkTrees as object[])[0] };
  }

  test.each([
    ["before those of its pictures", `<title>Ada</title>${PICTURE}`],
    ["behind those of its pictures", `${PICTURE}<title>Ada</title>`],
    ["before another one", "<head><title>Ada</title><title>Lovelace</title></head>"],
  ])("its title is its own, %s", async (_, html) => {
    const { slug, tree } = await treeOf(`${html}<a href="https://ada.example/">Site</a>`);
    expect(slug).toBe("ada");
    expect(tree).toMatchObject({ title: "Ada" });
  });

  test("its title is empty where only its pictures have some", async () => {
    const { tree } = await treeOf(`${PICTURE}<a href="https://ada.example/">Site</a>`);
    expect(tree).toMatchObject({ title: "" });
  });

  test("a link that shows only a picture is called by the picture's title", async () => {
    const { tree } = await treeOf(`<title>Ada</title><a href="https://ada.example/">${PICTURE}</a>`);
    expect(tree).toMatchObject({ title: "Ada", links: [{ label: "Picture" }] });
  });

  test.each([
    [
      "its name for those who cannot see it",
      '<a href="https://ada.example/" aria-label="Caf&eacute;"><i></i></a>',
    ],
    ["the words for its picture", '<a href="https://ada.example/"><img alt="Café" src="a.png"></a>'],
  ])("a link without words is called by %s", async (_, html) => {
    expect((await treeOf(html)).tree).toMatchObject({ links: [{ label: "Café" }] });
  });

  test("words in lines of their own stay apart, and those of one line together", async () => {
    const card = "<div><h3>Shop</h3><p><b>Op</b>en daily<br>but</p>Mondays</div>";
    const { tree } = await treeOf(`<a href="https://ada.example/">${card}</a>`);
    expect(tree).toMatchObject({ links: [{ label: "Shop Open daily but Mondays" }] });
    const links = [{ title: "Site", link: "https://ada.example/" }];
    const written = "<h2>Ada</h2><ul><li>Num<b>bers</b></li><li>Notes</li></ul>";
    const stack = { littlelink_name: "ada", littlelink_description: written, links };
    const { record } = await fromLinkStack(stack, BY_ADA);
    expect(record.linkTrees).toMatchObject([{ description: "Ada\nNumbers\nNotes" }]);
  });

  test("characters may have any name that HTML knows, in titles, words and addresses", async () => {
    const page = `<title>${WRITTEN}</title><a href="https://ada.example/?q=&eacute;&copy=1">${WRITTEN}</a>`;
    expect((await treeOf(page)).tree).toMatchObject({
      title: READ,
      links: [{ label: READ, url: "https://ada.example/?q=é&copy=1" }],
    });
    const links = [{ title: WRITTEN, link: "https://ada.example/" }];
    const stack = { littlelink_name: "ada", littlelink_description: `<p>${WRITTEN}</p>`, links };
    const { record } = await fromLinkStack(stack, BY_ADA);
    expect(record.linkTrees).toMatchObject([{ description: READ, links: [{ label: READ }] }]);
  });

  test("an address is what browsers make of it", async () => {
    const links = ["https://ada.example/CV Ada.pdf", " https://ada.example/\n\tnotes "];
    const { tree } = await treeOf(links.map((href) => `<a href="${href}">Note</a>`).join(""));
    expect(tree).toMatchObject({
      links: [{ url: "https://ada.example/CV%20Ada.pdf" }, { url: "https://ada.example/notes" }],
    });
  });

  test("what is shown only without scripts says nothing", async () => {
    const { tree } = await treeOf(
      '<a href="https://ada.example/"><img alt="Ada"><noscript><img src="ada.jpg" alt="Ada"></noscript></a>',
    );
    expect(tree).toMatchObject({ links: [{ label: "Ada" }] });
  });

  test("what is a script or a style says nothing", async () => {
    const written = "<style>p{}</style><p>Notes<script>track()</script>.</p>";
    const { tree } = await treeOf(`<a href="https://ada.example/">${written}</a>`);
    expect(tree).toMatchObject({ links: [{ label: "Notes." }] });
    const links = [{ title: "Site", link: "https://ada.example/" }];
    const stack = { littlelink_name: "ada", littlelink_description: written, links };
    const { record } = await fromLinkStack(stack, BY_ADA);
    expect(record.linkTrees).toMatchObject([{ description: "Notes." }]);
  });
});

test("an address stays in a link tree under each of its labels, and once under the same", async () => {
  const titles = ["Shop", "Gift vouchers", "Shop"];
  const links = titles.map((title, order) => ({ title, link: "https://shop.example/", order }));
  const { record, leftOut } = await fromLinkStack({ littlelink_name: "ada", links }, BY_ADA);
  expect(record.linkTrees).toMatchObject([
    {
      links: [
        { label: "Shop", url: "https://shop.example/" },
        { label: "Gift vouchers", url: "https://shop.example/" },
      ],
    },
  ]);
  expect(leftOut).toEqual([]);
});

describe("an address", () => {
  const addressOf = (length: number, start: string) => start.padEnd(length, "a");

  async function withAddress(url: string) {
    return fromJsonResume({ basics: { url } }, BY_ADA);
  }

  test("of 2,000 characters is taken over as it is", async () => {
    const value = addressOf(2000, "https://ada.example/");
    const { record, leftOut } = await withAddress(value);
    expect(record.profile).toMatchObject({ url: { value } });
    expect(leftOut).toEqual([]);
  });

  test.each([
    ["of more characters", addressOf(2001, "https://ada.example/")],
    ["that has more characters with its scheme", addressOf(1999, "ada.example/")],
  ])("%s is left out whole, since a part of it leads elsewhere", async (_, address) => {
    const { record, leftOut } = await withAddress(address);
    expect(record.profile).not.toHaveProperty("url");
    expect(leftOut).toEqual(["basics.url: the address has more than 2000 characters"]);
  });

  test("may have a space in it, which is escaped as browsers do it", async () => {
    const { record, leftOut } = await withAddress("ada.example/CV Ada.pdf");
    expect(record.profile).toMatchObject({ url: { value: "https://ada.example/CV%20Ada.pdf" } });
    expect(leftOut).toEqual([]);
  });

  test.each(["https:ada.example", "https:/ada.example", "http:\\\\ada.example", "ftp://ada.example"])(
    "that no record may have is left out, so that the rest can be imported: %s",
    async (address) => {
      const { record, leftOut } = await withAddress(address);
      expect(checkRecord(record)).toHaveProperty("input");
      expect(leftOut).toEqual([
        `basics.url: ${JSON.stringify(address)} is no address that a record can have`,
      ]);
    },
  );
});

test("an answer of /user/full is taken by its brand names, with its flags and without its nulls", async () => {
  const { input, leftOut } = await brought("full.json", "full");
  expect(input).toMatchObject({
    id: "user-1",
    codehostId: 1815,
    profile: {
      isPublic: true,
      phone: { isPublic: false, value: "+44 20 5550 0100" },
      codehostUrl: { isPublic: true, value: "https://github.com/ada" },
      videoUrl: { isPublic: true, value: "https://youtube.com/@ada" },
    },
    jobs: [{ isPublic: false }],
    linkTrees: [{ id: "tree-1", links: [{ id: "link-1" }] }],
  });
  expect(input.jobs[0]).not.toHaveProperty("companyUrl");
  expect(input.projects[0]).not.toHaveProperty("startDate");
  expect(leftOut).toEqual([
    "projects[0].jobId: the answer shows jobs without their ids",
    "linkTrees[0].links[0].clicks: a record has no such field",
    "views: a record has no such field",
  ]);
});

test("an answer of /user/full may leave addresses empty, and name studies in other words", async () => {
  const job = { title: "Analyst", startDate: "1842-02-01", companyUrl: "", endDate: "" };
  const studies = ["PHD", "BACHELORS_DEGREE", "TUTORING"].map((studyLevel) => ({
    studyLevel,
    institutionUrl: "",
  }));
  const profile = {
    slug: "ada",
    phone: { isPublic: false, value: "" },
    githubUrl: { isPublic: true, value: "" },
  };
  const answer = { email: "ada@example.com", profile, jobs: [job], education: studies };
  const { record, leftOut } = await fromFull(answer, CHOICES);
  expect(checkedRecord(record)).toMatchObject({
    profile: { phone: { value: "" }, codehostUrl: { isPublic: true, value: null } },
    jobs: [{ endDate: null }],
    education: [{ studyLevel: "DOCTORATE" }, { studyLevel: "BACHELOR" }, { studyLevel: "OTHER" }],
  });
  expect(leftOut).toEqual(['education[2].studyLevel: "TUTORING", which became OTHER']);
});

describe("an answer of /user/full with fields of several brands that have one name here", () => {
  const field = (value: string | null) => ({ isPublic: true, value });

  async function withProfile(profile: object) {
    return fromFull({ email: "ada@example.com", profile: { slug: "ada", ...profile } }, CHOICES);
  }

  test.each([
    ["before it", { gitlabUrl: field(null), githubUrl: field("https://github.com/ada") }],
    ["behind it", { githubUrl: field("https://github.com/ada"), gitlabUrl: field(null) }],
    [
      "behind it, under its name here,",
      { githubUrl: field("https://github.com/ada"), codehostUrl: field(null) },
    ],
  ])("keeps the one that is set where the one %s is null", async (_, profile) => {
    const { record, leftOut } = await withProfile(profile);
    expect(record.profile).toMatchObject({ codehostUrl: field("https://github.com/ada") });
    expect(leftOut).toEqual([]);
  });

  test("keeps the first that is set, and lists the others", async () => {
    const { record, leftOut } = await withProfile({
      twitterUrl: field("https://twitter.com/ada"),
      xUrl: field("https://twitter.com/ada"),
      mastodonUrl: field("https://mastodon.example/@ada"),
    });
    expect(record.profile).toMatchObject({ microblogUrl: field("https://twitter.com/ada") });
    expect(leftOut).toEqual([
      'profile.mastodonUrl: "https://mastodon.example/@ada", since microblogUrl has another value already',
    ]);
  });
});

describe.each(Object.keys(FOREIGN) as ForeignFormat[])("a file of the format %s", (format) => {
  test("changes nothing when it is imported again", async () => {
    using folder = new TemporaryFolder();
    const database = { engine: "sqlite", file: folder.file("vitrine.db") } as const;
    const { input } = await brought(SAMPLES[format], format);
    expect(await saveOne({ input }, database, true)).toMatchObject({ change: "created" });
    expect(await saveOne({ input }, database, false)).toMatchObject({ change: "created" });
    const again = await brought(SAMPLES[format], format);
    expect(await saveOne({ input: again.input }, database, false)).toMatchObject({ change: "unchanged" });
  });

  test("is private unless it says otherwise, or its bringer does", async () => {
    const { input } = await brought(SAMPLES[format], format);
    if (format !== "full") expect(JSON.stringify(input)).not.toContain('"isPublic":true');
    expect(input.linkTrees).not.toBeEmpty();
    expect(input.linkTrees.every(({ hasPage }) => hasPage === false)).toBe(true);
    const shown = await brought(SAMPLES[format], format, { isPublic: true, slug: "other" });
    expect(shown.input.profile).toMatchObject({ isPublic: true, slug: "other" });
    const unset = JSON.stringify({ isPublic: false, value: null });
    expect(JSON.stringify(shown.input).replaceAll(unset, "")).not.toContain('"isPublic":false');
    expect(JSON.stringify(shown.input)).not.toContain("hasPage");
  });
});

describe("out and in again", () => {
  const recordOf = (written: unknown): UserRecord => reconcile(checkedRecord(written), undefined, NOW).record;

  test("a JSON Resume loses nothing that it can say", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        const before = resumeOf(recordOf(written));
        const email = "ada@example.com";
        const { record } = await fromJsonResume(JSON.parse(JSON.stringify(before)), { ...CHOICES, email });
        const after = resumeOf(recordOf(record));
        expect(saidBy(after)).toEqual(saidBy(before));
      }),
      { numRuns: 60 },
    );
  });

  test("an answer of /user/full loses nothing but which job a project belongs to", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        const record = recordOf(written);
        const answer = answersOf(record).byKind.full.json as UserRecord;
        const { record: back } = await fromFull(answer, CHOICES);
        const again = answersOf(recordOf(back)).byKind.full.json as UserRecord;
        const withoutJobs = ({ projects, ...rest }: UserRecord) => ({
          ...rest,
          jobs: rest.jobs.map(({ userId, ...job }) => job),
          projects: projects.map((project) => ({ ...project, jobId: null })),
        });
        expect(withoutJobs(again)).toEqual(withoutJobs(answer));
      }),
      { numRuns: 60 },
    );
  });
});

/**
 * What a resume says: its lists in any order, since they follow what goes on now; white space alike; nothing where there
 * is nothing but white space; and no job without a start.
 */
function saidBy({ basics, work, projects, education }: Resume): unknown {
  const { email: _, ...who } = basics;
  return normal({
    ...who,
    work: work.filter(({ startDate }) => startDate !== undefined),
    projects: projects.map((project) => ({ ...project, highlights: project.highlights?.join("\n") })),
    education,
  });
}

function normal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/\s+/g, " ").trim() || undefined;
  if (Array.isArray(value)) {
    const texts = value.map((item) => JSON.stringify(normal(item)) ?? "");
    return texts.filter((text) => text !== "").toSorted();
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, normal(inner)] as const);
  const isSaid = (inner: unknown) => inner !== undefined && !["", "[]", "{}"].includes(JSON.stringify(inner));
  return Object.fromEntries(fields.filter(([, inner]) => isSaid(inner)));
}

/** An archive in which the first of some letters, which it has as they are, has become another one. */
function withOtherByte(archive: Uint8Array, letters: string): Uint8Array {
  const damaged = Buffer.from(archive);
  damaged.write("X", damaged.indexOf(letters));
  return damaged;
}

describe("a file is refused with a sentence", () => {
  const HALF_A_BOMB = new Uint8Array(20 * 1024 * 1024);

  test.each([
    ["that is a JSON Resume", '{"basics":{"name":"Ada"}}', "linkstack", "this looks like a JSON Resume"],
    [
      "that is a LinkStack export",
      '{"littlelink_name":"a","links":[]}',
      "jsonresume",
      "this looks like an export of LinkStack",
    ],
    ["that is a page", "<!DOCTYPE html><p>", "jsonresume", "this looks like a saved page"],
    ["that is an archive", zipSync({ a: strToU8("a") }), "jsonresume", "this looks like LinkedIn's archive"],
    [
      "whose parts are of other types",
      '{"basics":{},"work":"much"}',
      "jsonresume",
      "the file is no JSON Resume: work must be a list",
    ],
    [
      "that is of Reactive Resume, which has all but a name elsewhere",
      '{"basics":{"name":"Ada"},"sections":{"experience":{"items":[{}]}},"metadata":{}}',
      "jsonresume",
      "the file is no JSON Resume: it is an export of Reactive Resume, which cannot be read",
    ],
    [
      "that has nothing of a JSON Resume",
      '{"resume":{"basics":{"name":"Ada"}},"skills":[]}',
      "jsonresume",
      "the file is no JSON Resume: it has neither basics nor work, projects or education",
    ],
    [
      "that is no JSON",
      '{\n"a": 1,}',
      "full",
      "in line 2, column 8, the file is not JSON from here on: take away the comma before it",
    ],
    [
      "that is no YAML",
      "basics:\n  name: Ada: Countess",
      "jsonresume",
      "in line 2, column 9, the file has a colon within a text: put the text in quotes",
    ],
    ["of another format, in YAML", "basics: {}", "linkstack", "this looks like a JSON Resume"],
    [
      "that is one table of LinkedIn's archive",
      "Company Name,Title",
      "linkedin",
      "the file is no ZIP archive: take the whole one, or the folder that it was unpacked to",
    ],
    [
      "that is broken UTF-8",
      new Uint8Array([0x7b, 0xff, 0x7d]),
      "jsonresume",
      "in line 1, column 2, the file is not UTF-8 text: save it as UTF-8",
    ],
    [
      "whose archive is damaged",
      zipSync({ "Profile.csv": strToU8("a".repeat(9)) }).slice(0, 60),
      "linkedin",
      "the file is no ZIP archive, or a damaged one",
    ],
    [
      "whose archive has other letters than were put in",
      withOtherByte(zipSync({ "Export/Profile.csv": strToU8("First Name\nAda\n") }, { level: 0 }), "Ada"),
      "linkedin",
      "Profile.csv is damaged in the archive",
    ],
    [
      "whose archive is another's, or has no profile, as one may ask LinkedIn for",
      zipSync({ "Connections.csv": strToU8("First Name\nCharles\n") }),
      "linkedin",
      "there is neither Profile.csv nor Positions.csv: ask LinkedIn for an archive with your profile",
    ],
    [
      "whose archive leads out of itself",
      zipSync({ "../Profile.csv": strToU8("a") }),
      "linkedin",
      "the archive has an entry whose name leads out of it",
    ],
    [
      "that is a bomb",
      zipSync({ "Profile.csv": new Uint8Array(40 * 1024 * 1024) }),
      "linkedin",
      "Profile.csv is too large to be real",
    ],
    [
      "that is a bomb in two parts",
      zipSync({ "Profile.csv": HALF_A_BOMB, "Positions.csv": HALF_A_BOMB }),
      "linkedin",
      "the files of the archive are too large to be real",
    ],
    [
      "whose archive has a file twice",
      zipSync({ "a/Profile.csv": strToU8("a"), "b/Profile.csv": strToU8("a") }),
      "linkedin",
      "the archive has more than one Profile.csv",
    ],
    [
      "with broken UTF-8 in an archive",
      zipSync({ "Profile.csv": new Uint8Array([0xff]) }),
      "linkedin",
      "in line 1, column 1, Profile.csv is not UTF-8 text: save it as UTF-8",
    ],
    [
      "of 100,000 rows",
      zipSync({ "Positions.csv": strToU8(`Title\n${"Analyst\n".repeat(100_000)}`) }),
      "linkedin",
      "Positions.csv has more than 10000 rows",
    ],
    [
      "whose table has semicolons",
      zipSync({ "Positions.csv": strToU8("Company Name;Title;Started On\nEngines;Analyst;Feb 1842\n") }),
      "linkedin",
      "Positions.csv begins with no line of LinkedIn's columns, with commas between them",
    ],
    [
      "whose table begins with a line of Excel's",
      zipSync({ "Profile.csv": strToU8("sep=,\nFirst Name,Last Name\nAda,Lovelace\n") }),
      "linkedin",
      "Profile.csv begins with no line of LinkedIn's columns, with commas between them",
    ],
    [
      "that a browser saved with all that the page has in it",
      'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\r\n--\r\n\r\n<a href=3D"https://ada.example/">',
      "linktree",
      "the file is an archive of a page: save the page as HTML alone",
    ],
    [
      "that Safari saved as an archive",
      new Uint8Array([...strToU8("bplist00"), 0xd1, 0xff]),
      "linktree",
      "the file is an archive of a page: save the page as HTML alone",
    ],
    ["that has no link", "<p>Nothing", "linktree", "the page has no link that leads anywhere"],
  ] as const)("%s", async (_, content, format, message) => {
    expect(await refusal(content, format, "ada@example.com")).toBe(message);
  });

  test("that is larger than any of its kind", async () => {
    using folder = new TemporaryFolder();
    // A file with a hole takes no room on the disk.
    await Bun.$`truncate -s 257M ${folder.file("export.zip")}`;
    await expect(bring(folder.file("export.zip"), "linkedin", BY_ADA)).rejects.toThrow(
      "the file is too large: if it is LinkedIn's, take the folder that it was unpacked to",
    );
  });

  test("that is a folder with a file twice", async () => {
    using folder = new TemporaryFolder();
    for (const name of ["a/Positions.csv", "b/Positions.csv"]) await Bun.write(folder.file(name), "Title\n");
    await expect(bring(folder.path, "linkedin", BY_ADA)).rejects.toThrow(
      "the folder has more than one Positions.csv",
    );
  });

  test("that does not say whose it is, where nobody else does", async () => {
    expect(await refusal('{"basics":{"name":"Ada"}}', "jsonresume")).toBe("the file names no e-mail address");
  });
});

test("an end that cannot be read is no reason to say that something goes on", async () => {
  const work = [
    { name: "A", startDate: "2020", endDate: "some day" },
    { name: "B", startDate: "2020", endDate: "Present" },
    { name: "C", startDate: "2020", endDate: "ongoing" },
  ];
  const { record, leftOut } = await fromJsonResume({ basics: { email: "a@b.example" }, work }, CHOICES);
  expect(record.jobs).toMatchObject([
    { companyName: "A", isCurrent: false },
    { companyName: "B", isCurrent: true },
    { companyName: "C", isCurrent: true },
  ]);
  expect(leftOut).toEqual(['work[0].endDate: "some day" is no date that can be read']);
});

test("a plain import names the format that a file looks like", () => {
  expect(checkOwnRecord({ basics: { name: "Ada" } })).toEqual({
    problems: [{ place: "", message: "looks like a JSON Resume", advice: "use --from jsonresume" }],
  });
  expect(checkOwnRecord(writtenRecord())).toHaveProperty("input");
});
