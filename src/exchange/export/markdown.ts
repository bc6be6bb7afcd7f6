import { type ResumeSource, STUDY_TYPES } from "../../documents/resume.ts";
import { NETWORK_FIELDS, networkName } from "../../records/networks.ts";

/** A record as a page of Markdown: what a person would write down of themselves, in the order of a résumé. */
export function markdownOf({ profile, email, jobs, projects, education, linkTrees }: ResumeSource): string {
  const { name, summary, location, phone, url } = profile;
  const ways = [
    location.value === null ? [] : [line(location.value)],
    email === undefined ? [] : [`<${email}>`],
    phone.value === null ? [] : [line(phone.value)],
    url.value === null ? [] : [link("Website", url.value)],
    NETWORK_FIELDS.flatMap((field) => {
      const { value } = profile[field];
      return value === null ? [] : [link(networkName(field, value), value)];
    }),
  ].flat();
  const blocks = [
    `# ${inline(name.value ?? "") || inline(profile.slug)}`,
    summary.value === null ? "" : paragraph(summary.value),
    ways
      .filter(isSaid)
      .map((way) => `- ${way}`)
      .join("\n"),
    ...section("Work", jobs, (job) => [
      heading(inline(job.title), named(job.companyName, job.companyUrl)),
      period(job),
      paragraph(job.description),
      list(job.technologies),
    ]),
    ...section("Projects", projects, (project) => [
      heading(named(project.title, project.demoUrl ?? project.repoUrl)),
      paragraph(project.role ?? ""),
      period(project),
      paragraph(project.shortDescription),
      project.description === null ? "" : paragraph(project.description),
      list(project.technologies),
      // The source of what cannot be seen is where its title leads.
      project.demoUrl && project.repoUrl ? link("Source", project.repoUrl) : "",
    ]),
    ...section("Education", education, (entry) => [
      heading(inline(entry.fieldOfStudy ?? ""), STUDY_TYPES[entry.studyLevel]),
      named(entry.institution, entry.institutionUrl),
      period(entry),
      entry.description === null ? "" : paragraph(entry.description),
    ]),
    ...linkTrees.flatMap((tree) => [
      `## ${inline(tree.title) || inline(tree.slug)}`,
      tree.description === null ? "" : paragraph(tree.description),
      tree.links.map(({ label, url }) => `- ${link(label, url)}`).join("\n"),
    ]),
  ];
  return `${blocks.filter(isSaid).join("\n\n")}\n`;
}

function isSaid(text: string): boolean {
  return text !== "";
}

function section<Item>(title: string, items: readonly Item[], blocksOf: (item: Item) => string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, ...items.flatMap(blocksOf)];
}

/** The heading of an entry. One that says nothing is a rule, which parts the entry from the one before. */
function heading(...parts: readonly string[]): string {
  const words = parts.filter(isSaid).join(", ");
  return words === "" ? "---" : `### ${words}`;
}

interface Dated {
  readonly startDate?: string;
  readonly endDate?: string | null;
  readonly isCurrent: boolean;
}

const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

function period({ startDate, endDate, isCurrent }: Dated): string {
  const from = startDate && month.format(new Date(startDate));
  const to = isCurrent ? "now" : endDate && month.format(new Date(endDate));
  if (!from && !to) return "";
  return `*${[from, to].filter(Boolean).join(" – ")}*`;
}

function list(names: readonly string[]): string {
  return names.map(inline).filter(isSaid).join(", ");
}

function named(name: string, url: string | null | undefined): string {
  return url ? link(name, url) : line(name);
}

/** A link. One without a label shows its address, since it would not be seen else. */
function link(label: string, url: string): string {
  // An address within angle brackets may hold all but these.
  return `[${inline(label) || inline(url)}](<${url.replaceAll(/[<>\\]/g, encodeURIComponent)}>)`;
}

/** Text in one line, in which nothing is markup. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(/[\\`*_{}[\]<>#|~&]/g, "\\$&")
    .trim();
}

/** The same where a line begins: what would open a list or a rule there is text, too. */
function line(text: string): string {
  return inline(text).replace(/^(?:[-+=]|\d+[.)])/, (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`);
}

/** Text whose line breaks stay. */
function paragraph(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(line)
    .join("  \n")
    .replaceAll(/(?: {2}\n){2,}/g, "\n\n")
    .trim();
}
