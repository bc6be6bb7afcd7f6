import { BOUNDS } from "../../contract/texts.ts";
import type { Texts } from "./archive.ts";
import { type Row, rowsOf } from "./csv.ts";
import { type Choices, type Converted, Draft, descriptions, set, studyLevelOf } from "./draft.ts";
import { NotInFormat } from "./errors.ts";

/** Files that say something of the member, too, and that a record has no place for. The others are about what was done. */
const LEFT_FILES = [
  "Certifications.csv",
  "Courses.csv",
  "Honors.csv",
  "Languages.csv",
  "Organizations.csv",
  "Patents.csv",
  "Phone Numbers.csv",
  "PhoneNumbers.csv",
  "Publications.csv",
  "Skills.csv",
  "Test Scores.csv",
  "Volunteering.csv",
] as const;

/** The files that a record is made from, with the columns that go into it. All others are listed. */
const TAKEN = {
  "Profile.csv": ["First Name", "Last Name", "Summary", "Geo Location", "Twitter Handles", "Websites"],
  "Positions.csv": ["Company Name", "Title", "Description", "Started On", "Finished On"],
  "Projects.csv": ["Title", "Description", "Url", "Started On", "Finished On", "Start Date", "End Date"],
  "Education.csv": ["School Name", "Start Date", "End Date", "Degree Name", "Notes", "Activities"],
  "Email Addresses.csv": ["Email Address"],
} as const satisfies Record<string, readonly string[]>;

type TakenFile = keyof typeof TAKEN;

export const LINKEDIN_FILES: readonly string[] = [...Object.keys(TAKEN), ...LEFT_FILES];

/** The archive that LinkedIn lets its members download, in the language of its columns, which is English. */
export async function fromLinkedIn(texts: Texts, choices: Choices): Promise<Converted> {
  if (!texts.has("Profile.csv") && !texts.has("Positions.csv"))
    throw new NotInFormat(
      "there is neither Profile.csv nor Positions.csv: ask LinkedIn for an archive with your profile",
    );
  const rows = (name: TakenFile) => rowsOf(name, texts.get(name) ?? "", TAKEN[name]);
  const draft = new Draft(choices);
  const [profile = {}] = await rows("Profile.csv");
  takeProfile(profile, draft);
  const positions = await rows("Positions.csv");
  const addresses = await rows("Email Addresses.csv");
  const primary = addresses.find((row) => /^yes$/i.test(row.Primary ?? "")) ?? addresses[0];
  const made = {
    email: primary?.["Email Address"] || undefined,
    jobs: positions.flatMap((row, index) => jobOf(row, `Positions.csv, row ${index + 1}`, draft)),
    projects: (await rows("Projects.csv")).map((row, index) =>
      projectOf(row, `Projects.csv, row ${index + 1}`, draft),
    ),
    education: (await rows("Education.csv")).map((row, index) =>
      educationOf(row, `Education.csv, row ${index + 1}`, draft),
    ),
  };
  for (const [index, row] of addresses.entries())
    if (row !== primary) draft.leave(`Email Addresses.csv, row ${index + 1}: ${firstOf(row)}`);
  for (const name of LEFT_FILES)
    for (const [index, row] of (await rowsOf(name, texts.get(name) ?? "", [])).entries())
      draft.leave(`${name}, row ${index + 1}: ${firstOf(row)}`);
  return draft.finish(made);
}

function takeProfile(row: Row, draft: Draft): void {
  const place = (column: string) => `Profile.csv, ${column}`;
  const name = [row["First Name"], row["Last Name"]].filter(Boolean).join(" ");
  draft.set("name", draft.text(name || undefined, BOUNDS.title, place("First Name")));
  draft.set("summary", draft.text(row.Summary || undefined, BOUNDS.description, place("Summary")));
  draft.set(
    "location",
    draft.text(row["Geo Location"] || undefined, BOUNDS.profileValue, place("Geo Location")),
  );
  leaveOthers(row, TAKEN["Profile.csv"], "Profile.csv", draft);
  for (const handle of itemsOf(row["Twitter Handles"]))
    draft.network("Twitter", `https://twitter.com/${handle.replace(/^@/, "")}`, place("Twitter Handles"));
  for (const item of itemsOf(row.Websites)) {
    const [, label, url] = /^([A-Z_]+):(.*)$/.exec(item) ?? [undefined, undefined, item];
    const address = draft.webUrl(url, place("Websites"));
    if (address === undefined) continue;
    if (label === "PERSONAL" && !draft.has("url")) draft.set("url", address);
    else draft.link(label && label !== "OTHER" ? sentenceCase(label) : undefined, address, place("Websites"));
  }
}

/** A cell such as `[PORTFOLIO:https://ada.example,BLOG:https://blog.example]`. */
function itemsOf(cell: string | undefined): string[] {
  const [, inner] = /^\[(.*)\]$/s.exec(cell?.trim() ?? "") ?? [];
  const items = inner ?? cell ?? "";
  // An address may have a comma in it, so only one before the next label parts two of them.
  return items
    .split(items.includes(":") ? /,\s*(?=[A-Z_]+:|https?:)/ : ",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function sentenceCase(label: string): string {
  return label.slice(0, 1) + label.slice(1).toLowerCase().replaceAll("_", " ");
}

/** The columns differ by table, and those of projects by the year of the archive. */
function periodOf(row: Row, place: string, draft: Draft) {
  const [start, end] = "Start Date" in row ? ["Start Date", "End Date"] : ["Started On", "Finished On"];
  return draft.period([row[start], `${place}, ${start}`], [row[end], `${place}, ${end}`]);
}

function jobOf(row: Row, place: string, draft: Draft): object[] {
  const { startDate, endDate, isCurrent } = periodOf(row, place, draft);
  if (startDate === undefined) {
    draft.leave(
      `${place}: ${row.Title ? JSON.stringify(row.Title) : firstOf(row)} has no start, which a job must have`,
    );
    return [];
  }
  leaveOthers(row, TAKEN["Positions.csv"], place, draft);
  return [
    {
      title: draft.text(row.Title, BOUNDS.title, `${place}, Title`) ?? "",
      startDate,
      endDate: endDate ?? null,
      isCurrent: isCurrent && endDate === undefined,
      isPublic: draft.isPublic,
      companyName: draft.text(row["Company Name"], BOUNDS.title, `${place}, Company Name`) ?? "",
      technologies: [],
      description: draft.text(row.Description, BOUNDS.description, `${place}, Description`) ?? "",
      isRemote: false,
    },
  ];
}

function projectOf(row: Row, place: string, draft: Draft): object {
  const { startDate, endDate, isCurrent } = periodOf(row, place, draft);
  leaveOthers(row, TAKEN["Projects.csv"], place, draft);
  return set({
    title: draft.text(row.Title, BOUNDS.title, `${place}, Title`) ?? "",
    ...descriptions(draft.text(row.Description, BOUNDS.description, `${place}, Description`)),
    technologies: [],
    isCurrent,
    isRemote: false,
    isOpenSource: false,
    startDate,
    endDate: endDate ?? null,
    demoUrl: draft.webUrl(row.Url || undefined, `${place}, Url`) ?? null,
  });
}

function educationOf(row: Row, place: string, draft: Draft): object {
  const { startDate, endDate, isCurrent } = periodOf(row, place, draft);
  leaveOthers(row, TAKEN["Education.csv"], place, draft);
  const words = [row["Degree Name"], row.Notes, row.Activities].filter(Boolean).join("\n");
  return set({
    institution: draft.text(row["School Name"], BOUNDS.title, `${place}, School Name`) ?? "",
    studyLevel: studyLevelOf(row["Degree Name"]),
    startDate,
    endDate,
    isCurrent,
    description: draft.text(words || undefined, BOUNDS.description, `${place}, Notes`) ?? null,
  });
}

/** Lists what is in the columns that are not taken over. */
function leaveOthers(row: Row, taken: readonly string[], place: string, draft: Draft): void {
  for (const [column, value] of Object.entries(row))
    if (value && !taken.includes(column)) draft.leave(`${place}, ${column}: ${JSON.stringify(value)}`);
}

/** What a row is told by. */
function firstOf(row: Row): string {
  return JSON.stringify(Object.values(row).find(Boolean) ?? "");
}
