import { describe, expect, test } from "bun:test";
import { STUDY_LEVELS } from "../../src/contract/fields.ts";
import { formatPlace, type Problem } from "../../src/records/problems.ts";
import { checkRecord } from "../../src/records/schema.ts";
import { placesOf, valueAt, without, withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const EMOJI = "👩🏽‍🚀";
const HALF_A_PAIR = "\ud83d";

function problemsOf(value: unknown): Problem[] {
  const checked = checkRecord(value);
  if ("input" in checked) return [];
  return checked.problems.map(({ place, message }) => ({ place, message }));
}

/** A title that stays readable however long or strange the value is. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text;
}

/** A value in place of what a good record has there, and the one problem it makes there. */
type WrongValue = readonly [place: string, value: unknown, message: string];

function refusesEach(rows: readonly WrongValue[]): void {
  for (const [place, value, message] of rows) {
    test(`${place} = ${shown(value)} is refused: ${message}`, () => {
      expect(problemsOf(withValue(writtenRecord(), place, value))).toEqual([{ place, message }]);
    });
  }
}

function acceptsEach(rows: readonly (readonly [place: string, value: unknown])[]): void {
  for (const [place, value] of rows) {
    test(`${place} = ${shown(value)} is accepted as it is`, () => {
      const input = checkedRecord(withValue(writtenRecord(), place, value));
      expect(valueAt(input, place)).toEqual(value);
    });
  }
}

describe("a record", () => {
  test("as a person writes it is accepted", () => {
    expect(problemsOf(writtenRecord())).toEqual([]);
  });

  test("with what the server sets is accepted and keeps it", () => {
    const written = writtenRecord();
    const stamps = { createdAt: "2020-01-01T00:00:00.000Z", updatedAt: "2021-01-01T00:00:00.000Z" };
    const input = checkedRecord({
      id: "user-1",
      ...stamps,
      ...written,
      profile: { updatedAt: stamps.updatedAt, ...written.profile },
      jobs: written.jobs.map((job) => ({ ...stamps, userId: "user-1", ...job })),
      linkTrees: written.linkTrees.map((tree, index) => ({ id: `tree-${index}`, ...stamps, ...tree })),
    });
    expect(input).toMatchObject({
      id: "user-1",
      ...stamps,
      profile: { updatedAt: stamps.updatedAt },
      jobs: [
        { ...stamps, userId: "user-1" },
        { ...stamps, userId: "user-1" },
      ],
      linkTrees: [
        { id: "tree-0", ...stamps },
        { id: "tree-1", ...stamps },
      ],
    });
  });

  test("has its fields in the order of the contract, however they were written", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value).reverse();
      return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
    };
    expect(JSON.stringify(checkedRecord(reversed(writtenRecord())))).toBe(
      JSON.stringify(checkedRecord(writtenRecord())),
    );
  });

  test("may have no jobs, projects, link trees or education", () => {
    const empty = { ...writtenRecord(), jobs: [], projects: [], linkTrees: [], education: [] };
    expect(problemsOf(empty)).toEqual([]);
  });

  test.each([
    [null, "must be an object, not null"],
    [undefined, "is missing"],
    [[], "must be an object, not an array"],
    [[{}], "must be an object, not an array"],
    ["text", "must be an object, not a string"],
    [5, "must be an object, not the number 5"],
    [true, "must be an object, not a boolean"],
  ])("is not %j", (value, message) => {
    expect(problemsOf(value)).toEqual([{ place: "", message }]);
  });

  test("that is empty lacks everything that cannot be left out", () => {
    expect(problemsOf({})).toEqual(["email", "profile"].map((place) => ({ place, message: "is missing" })));
  });

  test("is told every problem at once", () => {
    let record: unknown = writtenRecord();
    record = withValue(record, "email", "nobody");
    record = withValue(record, "jobs[0].title", 5);
    record = withValue(record, "jobs[1].colour", "red");
    record = withValue(record, "linkTrees[0].links[1].url", "javascript:alert(1)");
    record = without(record, "education[0].institution");
    expect(problemsOf(record)).toEqual([
      { place: "email", message: "must be an e-mail address" },
      { place: "jobs[0].title", message: "must be a string, not the number 5" },
      { place: "jobs[1].colour", message: "is not a known field" },
      {
        place: "linkTrees[0].links[1].url",
        message: "must be a URL that starts with http, https, mailto or tel",
      },
      { place: "education[0].institution", message: "is missing" },
    ]);
  });

  test("is told what is wrong across fields along with what is wrong in one of them", () => {
    let record: unknown = writtenRecord();
    record = withValue(record, "id", "user-1");
    record = withValue(record, "jobs[0].userId", "user-2");
    record = withValue(record, "jobs[1].title", 5);
    record = withValue(record, "jobs[1].endDate", "2024-01-01");
    record = withValue(record, "linkTrees[0].title", 5);
    record = withValue(record, "linkTrees[1].slug", "everything-1");
    expect(problemsOf(record).map(({ place }) => place)).toEqual(
      expect.arrayContaining([
        "jobs[0].userId",
        "jobs[1].title",
        "jobs[1].endDate",
        "linkTrees[0].title",
        "linkTrees[1].slug",
      ]),
    );
  });
});

describe("what may be left out", () => {
  const nothing = { isPublic: false, value: null };

  test.each([
    ["jobs[1].endDate", null],
    ["projects[0].description", null],
    ["projects[0].endDate", null],
    ["projects[0].demoUrl", null],
    ["projects[0].jobId", null],
    ["linkTrees[0].description", null],
    ["education[0].description", null],
    ["jobs", []],
    ["projects", []],
    ["linkTrees", []],
    ["education", []],
    ["profile.name", nothing],
    ["profile.avatarUrl", nothing],
    ["profile.phone", nothing],
    ["profile.url", nothing],
    ["profile.summary", nothing],
    ["profile.location", nothing],
    ["profile.codehostUrl", nothing],
    ["profile.socialnetworkUrl", nothing],
    ["profile.microblogUrl", nothing],
    ["profile.professionalnetworkUrl", nothing],
    ["profile.videoUrl", nothing],
  ])("%s is then unset, also where it is left empty", (place, value) => {
    // Nothing but the job that stays is named by a project.
    const record = withValue(writtenRecord(), "projects[0].jobId", null);
    expect(valueAt(checkedRecord(without(record, place)), place)).toEqual(value);
    expect(valueAt(checkedRecord(withValue(record, place, null)), place)).toEqual(value);
  });

  test.each([
    "codehostId",
    "jobs[0].companyUrl",
    "jobs[0].listingId",
    "projects[0].role",
    "projects[0].startDate",
    "projects[0].repoUrl",
    "education[0].institutionUrl",
    "education[0].fieldOfStudy",
    "education[0].startDate",
    "education[0].endDate",
  ])("%s is then absent, also where it is left empty", (place) => {
    const record = checkedRecord(without(writtenRecord(), place));
    expect(placesOf(record)).not.toContain(place);
    expect(JSON.stringify(checkedRecord(withValue(writtenRecord(), place, null)))).toBe(
      JSON.stringify(record),
    );
  });

  test.each(["id", "createdAt", "updatedAt", "profile.updatedAt", "jobs[0].id", "linkTrees[0].links[0].id"])(
    "%s is then left to the server",
    (place) => {
      expect(valueAt(checkedRecord(without(writtenRecord(), place)), place)).toBeUndefined();
    },
  );

  test.each([
    "email",
    "profile",
    "profile.isPublic",
    "profile.slug",
    "profile.name.isPublic",
    "profile.name.value",
    "jobs[0].title",
    "jobs[0].startDate",
    "jobs[0].isCurrent",
    "jobs[0].isPublic",
    "jobs[0].companyName",
    "jobs[0].technologies",
    "jobs[0].description",
    "jobs[0].isRemote",
    "projects[0].title",
    "projects[0].shortDescription",
    "projects[0].technologies",
    "projects[0].isCurrent",
    "projects[0].isRemote",
    "projects[0].isOpenSource",
    "linkTrees[0].title",
    "linkTrees[0].slug",
    "linkTrees[0].links",
    "linkTrees[0].links[0].label",
    "linkTrees[0].links[0].url",
    "education[0].institution",
    "education[0].isCurrent",
  ])("is not %s", (place) => {
    expect(problemsOf(without(writtenRecord(), place))).toEqual([{ place, message: "is missing" }]);
  });
});

describe("a field that the format does not have", () => {
  refusesEach([
    ["views", 5, "is not a known field"],
    ["profile.nickname", "Ada", "is not a known field"],
    ["profile.name.private", true, "is not a known field"],
    ["jobs[0].salary", 1, "is not a known field"],
    ["projects[0].id", "project-1", "is not a known field"],
    ["linkTrees[0].views", 5, "is not a known field"],
    ["linkTrees[0].links[1].clicks", 5, "is not a known field"],
    ["education[0].grade", "A", "is not a known field"],
  ]);

  test.each([
    ["a field", '["a field"]'],
    ["1", '["1"]'],
    ["", '[""]'],
    ["constructor", "constructor"],
    ["__proto__", "__proto__"],
  ])("is named even when it is called %p", (name, place) => {
    const json = JSON.stringify(writtenRecord()).replace("{", `{${JSON.stringify(name)}:1,`);
    expect(problemsOf(JSON.parse(json))).toEqual([{ place, message: "is not a known field" }]);
  });

  test("is told for each one", () => {
    const record = { ...writtenRecord(), one: 1, two: 2 };
    expect(problemsOf(record).map(({ place }) => place)).toEqual(["one", "two"]);
  });
});

describe("a type", () => {
  refusesEach([
    ["email", null, "must be a string, not null"],
    ["email", ["a@b.example"], "must be a string, not an array"],
    ["email", {}, "must be a string, not an object"],
    ["profile", [], "must be an object, not an array"],
    ["profile", "Ada", "must be an object, not a string"],
    ["profile.isPublic", "yes", "must be a boolean, not a string"],
    ["profile.isPublic", 1, "must be a boolean, not the number 1"],
    ["profile.name", "Ada", "must be an object, not a string"],
    ["profile.name.value", 7, "must be a string, not the number 7"],
    ["profile.updatedAt", null, "must be a string, not null"],
    ["jobs", {}, "must be an array, not an object"],
    ["jobs[1]", null, "must be an object, not null"],
    ["jobs[1]", "Lead", "must be an object, not a string"],
    ["jobs[0].description", null, "must be a string, not null"],
    ["jobs[0].startDate", 2019, "must be a string, not the number 2019"],
    ["jobs[0].technologies", "SQL", "must be an array, not a string"],
    ["jobs[0].technologies[1]", null, "must be a string, not null"],
    ["linkTrees[0].links", {}, "must be an array, not an object"],
    ["linkTrees[0].links[0]", "https://a.example", "must be an object, not a string"],
    ["codehostId", "1001", "must be a number, not a string"],
    ["codehostId", 1.5, "must be a whole number, not the number 1.5"],
    ["codehostId", 2 ** 53, "must be a whole number that JSON can hold exactly"],
    ["codehostId", -(2 ** 53), "must be a whole number that JSON can hold exactly"],
    ["codehostId", Number.NaN, "must be a number, not the number NaN"],
    ["codehostId", Number.POSITIVE_INFINITY, "must be a number, not the number Infinity"],
  ]);

  acceptsEach([
    ["codehostId", 0],
    ["codehostId", -7],
    ["codehostId", Number.MAX_SAFE_INTEGER],
  ]);
});

describe("a text", () => {
  const BOUNDS = [
    ["profile.name.value", 200],
    ["profile.phone.value", 500],
    ["profile.location.value", 500],
    ["profile.summary.value", 5000],
    ["jobs[0].title", 200],
    ["jobs[0].companyName", 200],
    ["jobs[0].description", 5000],
    ["jobs[0].listingId", 200],
    ["jobs[0].technologies[1]", 100],
    ["projects[0].title", 200],
    ["projects[0].role", 200],
    ["projects[0].shortDescription", 500],
    ["projects[0].description", 5000],
    ["projects[0].technologies[0]", 100],
    ["linkTrees[0].title", 200],
    ["linkTrees[0].description", 5000],
    ["linkTrees[0].slug", 100],
    ["linkTrees[0].links[0].label", 200],
    ["profile.slug", 100],
    ["education[0].institution", 200],
    ["education[0].fieldOfStudy", 200],
    ["education[0].description", 5000],
  ] as const;

  for (const [place, limit] of BOUNDS) {
    test(`${place} may have ${limit} characters and not one more`, () => {
      const message = `must have at most ${limit} characters`;
      for (const character of ["a", "ß", "漢", "😀"]) {
        const longest = character.repeat(limit);
        expect(problemsOf(withValue(writtenRecord(), place, longest))).toEqual([]);
        for (const tooLong of [`${longest}a`, longest + character, longest + longest + character]) {
          expect(problemsOf(withValue(writtenRecord(), place, tooLong))).toEqual([{ place, message }]);
        }
      }
    });
  }

  acceptsEach([
    ["jobs[0].description", ""],
    ["jobs[0].description", `${EMOJI} \u202eabc\u202c é e\u0301 אבג\n\t\u0001\u007f\u0085\u2028\ufeff\uffff`],
    ["linkTrees[0].links[0].label", "<script>alert('x')</script> \"\\"],
  ]);

  refusesEach([
    ["jobs[0].description", "a\0b", "must not hold a NUL character"],
    ["profile.name.value", "\0", "must not hold a NUL character"],
    ["jobs[0].technologies[0]", "\0", "must not hold a NUL character"],
    ["linkTrees[0].links[0].label", HALF_A_PAIR, "must not hold half of a surrogate pair"],
    ["jobs[0].description", `a${HALF_A_PAIR}b`, "must not hold half of a surrogate pair"],
    ["profile.summary.value", "\udc00\ud800", "must not hold half of a surrogate pair"],
    ["profile.slug", HALF_A_PAIR, "must not hold half of a surrogate pair"],
  ]);
});

describe("technologies", () => {
  acceptsEach([
    ["jobs[0].technologies", []],
    ["jobs[0].technologies", Array.from({ length: 50 }, (_, index) => `t${index}`)],
    ["projects[0].technologies", ["same", "same"]],
  ]);

  refusesEach([
    ["jobs[0].technologies", Array.from({ length: 51 }, () => "t"), "must have at most 50 entries"],
    ["projects[0].technologies", Array.from({ length: 51 }, () => "t"), "must have at most 50 entries"],
  ]);
});

describe("links", () => {
  test("have no bound on their number", () => {
    const links = Array.from({ length: 5000 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://a.example/${index}`,
    }));
    expect(problemsOf(withValue(writtenRecord(), "linkTrees[0].links", links))).toEqual([]);
  });

  test("may lead to the same place twice", () => {
    const link = { label: "Home", url: "https://a.example/" };
    expect(problemsOf(withValue(writtenRecord(), "linkTrees[0].links", [link, link]))).toEqual([]);
  });
});

describe("a URL", () => {
  const WEB_PLACES = [
    "profile.avatarUrl.value",
    "profile.url.value",
    "profile.codehostUrl.value",
    "profile.socialnetworkUrl.value",
    "profile.microblogUrl.value",
    "profile.professionalnetworkUrl.value",
    "profile.videoUrl.value",
    "jobs[0].companyUrl",
    "projects[0].repoUrl",
    "projects[0].demoUrl",
    "education[0].institutionUrl",
  ];
  const LINK_PLACE = "linkTrees[0].links[0].url";
  const WEB = "must be a URL that starts with http or https";
  const LINK = "must be a URL that starts with http, https, mailto or tel";

  const WRONG = [
    "",
    " ",
    "a.example",
    "//a.example/",
    "/path",
    "https:",
    "https://",
    "https:a.example",
    "https:/a.example",
    "https:\\\\a.example",
    "http://:80",
    "http://a.example:99999/",
    "http://[::1",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "javascript://a.example/%0aalert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "ftp://a.example/",
    "blob:https://a.example/x",
    "view-source:https://a.example/",
    "ht\ttps://a.example/",
    " https://a.example/",
    "https://a.example/ ",
    "https://a.example/a b",
    "https://a.example/\t",
    "https://a.example/\n",
    "https://a.\r\nexample/",
    "https://a.example/\u007f",
    "https://a.example/\u0085",
    "https://a.example/\u00a0",
    "https://a.example/\u2028",
    "https://a.example/\ufeff",
    "xhttps://a.example/",
  ];

  refusesEach(WRONG.map((value) => [LINK_PLACE, value, LINK] as const));
  refusesEach(WRONG.map((value) => ["jobs[0].companyUrl", value, WEB] as const));

  for (const place of WEB_PLACES) {
    test(`${place} may not be a mail address, a phone number or a script`, () => {
      for (const value of ["mailto:a@b.example", "tel:+15550100", "javascript:alert(1)"])
        expect(problemsOf(withValue(writtenRecord(), place, value))).toEqual([{ place, message: WEB }]);
    });
  }

  acceptsEach([
    [LINK_PLACE, "mailto:a@b.example?subject=Hello%20there"],
    [LINK_PLACE, "MAILTO:a@b.example"],
    [LINK_PLACE, "tel:+1-555-0100"],
    [LINK_PLACE, "http://a.example"],
    ["jobs[0].companyUrl", "HTTPS://A.EXAMPLE/Path"],
    ["jobs[0].companyUrl", "https://user:secret@a.example:8443/a/../b?c=d&e#f"],
    ["jobs[0].companyUrl", "https://bücher.example/straße?q=漢字#😀"],
    ["jobs[0].companyUrl", "http://[::1]:3000/"],
    ["jobs[0].companyUrl", "https://a.example/?next=javascript:alert(1)"],
    ["projects[0].demoUrl", null],
    ["profile.url.value", null],
  ]);

  test("may have 2000 characters and not one more", () => {
    const longest = `https://a.example/${"😀".repeat(2000 - "https://a.example/".length)}`;
    const place = "jobs[0].companyUrl";
    expect(problemsOf(withValue(writtenRecord(), place, longest))).toEqual([]);
    expect(problemsOf(withValue(writtenRecord(), place, `${longest}a`))).toEqual([
      { place, message: "must have at most 2000 characters" },
    ]);
  });

  test("with half of a surrogate pair is refused", () => {
    expect(problemsOf(withValue(writtenRecord(), LINK_PLACE, `https://a.example/${HALF_A_PAIR}`))).toEqual([
      { place: LINK_PLACE, message: "must not hold half of a surrogate pair" },
    ]);
  });
});

/** Characters that do not show, or that make others show otherwise, by their numbers. */
const HIDDEN = [
  "\u00ad",
  "\u00a0",
  "\u034f",
  "\u061c",
  "\u115f",
  "\u1160",
  "\u17b4",
  "\u180e",
  "\u2003",
  "\u200b",
  "\u200c",
  "\u200d",
  "\u200e",
  "\u200f",
  "\u2028",
  "\u2029",
  "\u202a",
  "\u202e",
  "\u202f",
  "\u2060",
  "\u2066",
  "\u2069",
  "\u2800",
  "\u3000",
  "\u3164",
  "\ufe00",
  "\ufe0f",
  "\ufeff",
  "\uffa0",
  "\ufff9",
  "\u{1d173}",
  "\u{e0001}",
  "\u{e0041}",
  "\u{e0100}",
].map((character) => {
  const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return [`U+${number}`, character] as const;
});

function hiddenFault(name: string): string {
  return `must not hold ${name}, which is invisible, changes direction or looks like a space: leave it out`;
}

describe("a slug", () => {
  for (const place of ["profile.slug", "linkTrees[1].slug"]) {
    refusesEach([
      [place, "", "must not be empty"],
      [place, "Ada", "must be lower case"],
      [place, "straßE", "must be lower case"],
      [place, "É", "must be lower case"],
      [place, " ada", "must not begin or end with white space"],
      [place, "ada\u00a0", "must not begin or end with white space"],
      [place, "\u3000", "must not begin or end with white space"],
      [place, "a/b", "must not hold a control character or /"],
      [place, "a\tb", "must not hold a control character or /"],
      [place, "a\u007fb", "must not hold a control character or /"],
      [place, "a\u0085b", "must not hold a control character or /"],
      [place, "a\uFFFDb", "must not hold the replacement character U+FFFD"],
      [place, ".", "must not be . or .."],
      [place, "..", "must not be . or .."],
      ...HIDDEN.map(([name, character]): WrongValue => [place, `a${character}b`, hiddenFault(name)]),
      ...["e\u0301", "a\u030a", "\u1112\u1161\u11ab", "\u0958", "\u212b".toLowerCase().normalize("NFD")].map(
        (text): WrongValue => [
          place,
          text,
          "must be in Unicode's composed form (NFC): type it anew, or let an editor convert it",
        ],
      ),
    ]);

    acceptsEach([
      [place, "a"],
      [place, "..."],
      [place, "a b"],
      [place, "50%"],
      [place, "%2e%2e"],
      [place, "what?#&=+"],
      [place, "back\\slash"],
      [place, "straße-漢字-é"],
      [place, "😀"],
      [place, "😀".repeat(100)],
      [place, "❤👍🏽🇵🇹"],
      [place, "\u00e9\ud55c"],
      [place, "שלום-عليكم"],
    ]);
  }

  test("with a joiner of emoji is refused, since it may look like the emoji side by side", () => {
    expect(problemsOf(withValue(writtenRecord(), "profile.slug", "👩\u200d💻"))).toEqual([
      { place: "profile.slug", message: hiddenFault("U+200D") },
    ]);
  });

  test("is told all that is wrong with it", () => {
    expect(problemsOf(withValue(writtenRecord(), "profile.slug", "A/ "))).toEqual([
      { place: "profile.slug", message: "must be lower case" },
      { place: "profile.slug", message: "must not begin or end with white space" },
      { place: "profile.slug", message: "must not hold a control character or /" },
    ]);
  });

  test("of a link tree may not be that of another in the same record", () => {
    expect(problemsOf(withValue(writtenRecord(), "linkTrees[1].slug", "everything-1"))).toEqual([
      { place: "linkTrees[1].slug", message: "is the same as that of entry [0]" },
    ]);
  });

  test("of a profile may be that of a link tree", () => {
    expect(problemsOf(withValue(writtenRecord(), "profile.slug", "everything-1"))).toEqual([]);
  });
});

describe("an e-mail address", () => {
  refusesEach(
    [
      "",
      "ada",
      "ada@",
      "@example.com",
      "ada@b@c.example",
      "ada @example.com",
      " ada@example.com",
      "ada@example.com\n",
      "ada@exam\tple.com",
      "Ada <ada@example.com>",
      "a@b.example,c@d.example",
      "mailto:ada@example.com",
      `${"a".repeat(65)}@example.com`,
      `a@${"b".repeat(256)}`,
    ].map((value) => ["email", value, "must be an e-mail address"] as const),
  );

  acceptsEach([
    ["email", "ada@localhost"],
    ["email", "Ada.Lovelace+tag@Example.COM"],
    ["email", "o'hara_{x}@example.co.uk"],
    ["email", "用户@例子.example"],
    ["email", "😀@example.com"],
    ["email", `${"a".repeat(64)}@${"b".repeat(255)}`],
  ]);

  test("may hold neither a NUL nor half of a surrogate pair", () => {
    for (const value of ["a\0@example.com", `${HALF_A_PAIR}@example.com`]) {
      const problems = problemsOf(withValue(writtenRecord(), "email", value));
      expect(problems.map(({ place }) => place)).toContain("email");
    }
  });
});

describe("an identifier", () => {
  const MESSAGE = "must be 1 to 100 letters, digits or . _ ~ : -, starting with a letter or digit";

  for (const place of [
    "id",
    "jobs[0].id",
    "jobs[0].userId",
    "projects[0].jobId",
    "linkTrees[0].id",
    "linkTrees[0].links[0].id",
  ]) {
    refusesEach([
      [place, "", MESSAGE],
      [place, "-a", MESSAGE],
      [place, "a b", MESSAGE],
      [place, "a/b", MESSAGE],
      [place, "a\n", MESSAGE],
      [place, "ä", MESSAGE],
      [place, "a".repeat(101), MESSAGE],
      [place, 5, "must be a string, not the number 5"],
    ]);
  }

  acceptsEach([
    ["id", "a"],
    ["id", "0190b5a4-1c0f-7cc0-8000-000000000000"],
    ["id", "507f1f77bcf86cd799439011"],
    ["jobs[0].id", "urn:job:1"],
    ["linkTrees[0].id", "A.b_c~d:e-f"],
    ["linkTrees[0].links[0].id", "a".repeat(100)],
    ["projects[0].jobId", null],
  ]);

  test.each([
    ["jobs[1].id", "job-1-past", "is the same as that of entry [0]"],
    ["linkTrees[1].id", "tree", "is the same as that of entry [0]"],
    ["linkTrees[0].links[1].id", "link", "is the same as that of entry [0]"],
  ])("at %s may not be %s a second time", (place, value, message) => {
    let record: unknown = writtenRecord();
    record = withValue(record, "linkTrees[0].id", "tree");
    record = withValue(record, "linkTrees[0].links[0].id", "link");
    expect(problemsOf(withValue(record, place, value))).toEqual([{ place, message }]);
  });

  test("of a link may be that of a link in another tree", () => {
    const link = { id: "link", label: "Home", url: "https://a.example/" };
    let record = withValue(writtenRecord(), "linkTrees[0].links", [link]);
    record = withValue(record, "linkTrees[1].links", [link]);
    expect(problemsOf(record)).toEqual([]);
  });

  test("of a job's owner may not be another than the record's", () => {
    let record = withValue(writtenRecord(), "id", "user-1");
    record = withValue(record, "jobs[0].userId", "user-1");
    record = withValue(record, "jobs[1].userId", "user-2");
    expect(problemsOf(record)).toEqual([
      { place: "jobs[1].userId", message: "differs from the record's own id, user-1" },
    ]);
  });

  test("of a job's owner may not be another than that of the jobs before, in a record without an id", () => {
    let record = withValue(writtenRecord(), "jobs[0].userId", "user-1");
    record = withValue(record, "jobs[1].userId", "user-2");
    expect(problemsOf(record)).toEqual([
      { place: "jobs[1].userId", message: "differs from the record's own id, user-1" },
    ]);
  });

  test.each([
    ["an object without a prototype", Object.create(null)],
    ["a list", ["user-1"]],
  ])("of a record that is %s is the one problem, whatever its jobs say", (_, id) => {
    const record = withValue(withValue(writtenRecord(), "id", id), "jobs[0].userId", "user-1");
    expect(problemsOf(record).map(({ place }) => place)).toEqual(["id"]);
  });
});

describe("a date", () => {
  const MESSAGE = "must be an ISO 8601 date or date-time, such as 2024-03-01";

  refusesEach([
    ["createdAt", "yesterday", MESSAGE],
    ["updatedAt", "", MESSAGE],
    ["profile.updatedAt", "2024-02-30", MESSAGE],
    ["jobs[0].createdAt", "1709280000", MESSAGE],
    ["jobs[0].updatedAt", "2024-03-01 10:00", MESSAGE],
    ["jobs[0].startDate", "2019-13-01", MESSAGE],
    ["jobs[0].endDate", "present", MESSAGE],
    ["projects[0].startDate", "0000-01-01", MESSAGE],
    ["projects[0].endDate", "10000-01-01", MESSAGE],
    ["linkTrees[0].createdAt", "2024-03-01T25:00", MESSAGE],
    ["linkTrees[0].updatedAt", "2024-03-01T10:00\0", MESSAGE],
    ["education[0].startDate", "2014-W60", MESSAGE],
    ["education[0].endDate", "2018-06-31", MESSAGE],
  ]);

  test.each([
    ["jobs[0].startDate", "2019-01-01", "2019-01-01T00:00:00.000Z"],
    ["jobs[0].endDate", "2021-06-30T17:00:00+02:00", "2021-06-30T15:00:00.000Z"],
    ["projects[0].startDate", "20200202T0930-0530", "2020-02-02T15:00:00.000Z"],
    ["education[0].endDate", "2018-W26-6", "2018-06-30T00:00:00.000Z"],
    ["createdAt", "2020-060", "2020-02-29T00:00:00.000Z"],
  ])("at %s written %s is kept as %s", (place, text, instant) => {
    expect(valueAt(checkedRecord(withValue(writtenRecord(), place, text)), place)).toBe(instant);
  });
});

describe("a job", () => {
  test("that is current has no end", () => {
    expect(problemsOf(withValue(writtenRecord(), "jobs[1].endDate", "2024-01-01"))).toEqual([
      { place: "jobs[1].endDate", message: "must be null for a current job" },
    ]);
  });

  test("that is not current may have no end", () => {
    expect(problemsOf(withValue(writtenRecord(), "jobs[0].endDate", null))).toEqual([]);
  });
});

describe("education", () => {
  test("that is current has an end all the same", () => {
    expect(problemsOf(withValue(writtenRecord(), "education[0].isCurrent", true))).toEqual([]);
  });

  test.each([...STUDY_LEVELS])("may have the level %s", (level) => {
    expect(problemsOf(withValue(writtenRecord(), "education[0].studyLevel", level))).toEqual([]);
  });

  const PLACE = "education[0].studyLevel";
  const LEVELS = "must be one of HIGH_SCHOOL, ASSOCIATE, BACHELOR, MASTER, DOCTORATE, BOOTCAMP, OTHER";

  refusesEach(["master", "MASTERS", "", null, 5].map((value) => [PLACE, value, LEVELS] as const));

  test("without a level is told which there are", () => {
    expect(problemsOf(without(writtenRecord(), PLACE))).toEqual([{ place: PLACE, message: LEVELS }]);
  });
});

describe("a record with very many wrong entries", () => {
  const [tree] = writtenRecord().linkTrees;
  const trees = (count: number, links: unknown[]) =>
    Array.from({ length: count }, (_, index) => ({ ...tree, id: `t${index}`, slug: `s${index}`, links }));
  const many = new Array(200_000).fill({});
  test.each([
    ["jobs", { jobs: many }, 8 * 1000],
    ["links", { linkTrees: trees(1, many) }, 2 * 1000],
    ["links in each of many trees", { linkTrees: trees(2000, new Array(100).fill({})) }, 2 * 1000],
    ["trees with a wrong link each", { linkTrees: trees(2000, [{}]) }, 2 * 1000],
  ])("in its %s is told of the first thousand, within moments", (_, more, count) => {
    const started = performance.now();
    const problems = problemsOf({ ...writtenRecord(), projects: [], ...more });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(problems).toHaveLength(count);
  });

  test("is told of those that stand between good ones, at their own places", () => {
    const links = Array.from({ length: 1500 }, (_, index) => (index % 2 ? {} : { label: "", url: "tel:1" }));
    const problems = problemsOf({ ...writtenRecord(), linkTrees: trees(1, links) });
    expect(problems).toHaveLength(2 * 750);
    expect(problems.at(-1)).toMatchObject({ place: "linkTrees[0].links[1499].url", message: "is missing" });
  });
});

describe("a record that is made to be hard to advise on", () => {
  test.each([
    ["a field with a name of two million letters", { ["k".repeat(2_000_000)]: 1 }],
    [
      "a hundred thousand fields",
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`slug${index}`, 1])),
    ],
  ])("by %s is refused all the same, within moments", (_, more) => {
    const started = performance.now();
    expect(problemsOf({ ...writtenRecord(), ...more })).toHaveLength(Object.keys(more).length);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("a place", () => {
  test.each([
    [[], ""],
    [["email"], "email"],
    [["linkTrees", 0, "links", 2, "url"], "linkTrees[0].links[2].url"],
    [["a b"], '["a b"]'],
    [["profile", "é"], 'profile["é"]'],
    [["jobs", 0, ""], 'jobs[0][""]'],
  ] as [PropertyKey[], string][])("%j reads %p", (path, place) => {
    expect(formatPlace(path)).toBe(place);
  });
});
