import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { Choices, Converted } from "../../src/exchange/foreign/draft.ts";
import { fromJsonResume } from "../../src/exchange/foreign/json-resume.ts";
import { fromLinkedIn } from "../../src/exchange/foreign/linkedin.ts";
import { fromLinkStack } from "../../src/exchange/foreign/linkstack.ts";
import { fromLinktree } from "../../src/exchange/foreign/linktree.ts";
import { checkRecord } from "../../src/records/schema.ts";
import { anyText } from "../support/arbitraries.ts";

setDefaultTimeout(60_000);

const BY_ADA: Choices = { isPublic: false, now: Date.parse("2026-04-12"), email: "ada@example.com" };

/** What people and programs write where something else belongs. */
const ODD = [
  "",
  "\0",
  "\ud800",
  "a".repeat(6000),
  "2020",
  "May 2020",
  "31.12.2019",
  "9999-99",
  "Present",
  "ada.example",
  "//ada.example",
  "https://ada.example/\u202e b",
  "https://ada:secret@ada.example:99999/",
  "javascript:alert(1)",
  "mailto:ada@example.com",
  "<b>Ada</b> &amp; Co",
];

const anyOddText = fc.oneof(fc.constantFrom(...ODD), anyText(30));

const anyValue = fc.oneof(
  { weight: 8, arbitrary: anyOddText },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, -1.5, 1e30, true, [], {}, [null], ["a"], { url: "a" }) },
);

function someOf(names: string, value: fc.Arbitrary<unknown> = anyValue) {
  return fc.record(Object.fromEntries(names.split(" ").map((name) => [name, value])), { requiredKeys: [] });
}

function listOf(item: fc.Arbitrary<unknown>) {
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(item, { maxLength: 3 }) },
    { weight: 1, arbitrary: anyValue },
  );
}

function join(...parts: readonly fc.Arbitrary<object>[]) {
  return fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as object);
}

const period = "startDate endDate url name";
const lists = listOf(anyValue);

const anyResume = fc.record(
  {
    basics: join(
      someOf("name image phone url summary label"),
      someOf("location", fc.oneof(anyValue, someOf("address postalCode city region countryCode"))),
      someOf("profiles", listOf(someOf("network username url"))),
    ),
    work: listOf(join(someOf(`${period} position summary company`), someOf("highlights keywords", lists))),
    projects: listOf(join(someOf(`${period} description`), someOf("highlights keywords roles", lists))),
    education: listOf(join(someOf(`${period} institution area studyType`), someOf("courses", lists))),
    skills: anyValue,
  },
  { requiredKeys: [] },
);

const anyLinkStack = join(
  fc.record({ littlelink_name: anyValue, links: listOf(someOf("link title order type button_id")) }),
  someOf("name email littlelink_description image_data"),
);

const anyLinktree = fc
  .record({
    account: join(someOf("username pageTitle description profilePictureUrl")),
    links: listOf(someOf("title url position")),
    socialLinks: listOf(someOf("type url")),
  })
  .map((pageProps) => {
    const data = JSON.stringify({ props: { pageProps } }).replaceAll("<", "\\u003c");
    return `<script id="__NEXT_DATA__">${data}</script>`;
  });

/** A table with some columns, in which some rows have fewer cells, or more. */
function tableOf(columns: string) {
  const cell = anyOddText.map((text) => `"${text.replaceAll('"', '""')}"`);
  const row = fc.array(cell, { minLength: 1, maxLength: 9 }).map((cells) => cells.join(","));
  return fc.array(row, { maxLength: 3 }).map((rows) => [columns, ...rows].join("\n"));
}

const anyArchive = fc
  .record({
    "Profile.csv": tableOf("First Name,Last Name,Summary,Geo Location,Twitter Handles,Websites"),
    "Positions.csv": tableOf("Company Name,Title,Started On,Finished On,Description,Location"),
    "Projects.csv": tableOf("Title,Url,Started On,Finished On,Description"),
    "Education.csv": tableOf("School Name,Start Date,End Date,Degree Name,Notes,Activities"),
  })
  .map((tables) => new Map(Object.entries(tables)));

test.each<[string, fc.Arbitrary<unknown>, (file: never) => Promise<Converted>]>([
  ["a JSON Resume", anyResume, (resume) => fromJsonResume(resume, BY_ADA)],
  ["LinkedIn's archive", anyArchive, (tables) => fromLinkedIn(tables, BY_ADA)],
  ["an export of LinkStack", anyLinkStack, (value) => fromLinkStack(value, BY_ADA)],
  ["a page of Linktree", anyLinktree, (html) => fromLinktree(html, BY_ADA)],
])("of whatever %s says a record is made that can be saved, or it is refused", async (_, files, convert) => {
  await fc.assert(
    fc.asyncProperty(files, async (file) => {
      const made = await convert(file as never).catch((error: Error) => error.name);
      if (typeof made === "string") expect(made).toBe("NotInFormat");
      else expect(checkRecord(made.record)).not.toHaveProperty("problems");
    }),
    { numRuns: 200 },
  );
});
