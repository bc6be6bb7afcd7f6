import { pagePath } from "../contract/routes.ts";
import { pageOpening, pageRest } from "../html/frame.ts";
import { type Html, html, jsonBlock } from "../html/html.ts";
import { ICONS, type Icon, iconShapes } from "../html/icons/icons.ts";
import { initialOf, visible } from "../records/letters.ts";
import type { Education, Job, LinkTree, Project } from "../records/record.ts";
import { dialledIn } from "../records/telephone.ts";
import type { ShownRecord } from "../records/visibility.ts";
import { jsonLdOf } from "./json-ld.ts";
import { classesOf, type Look, lettersClass, pageIcon, plainLook } from "./look.ts";
import { monthIn } from "./months.ts";
import type { Owner } from "./owner.ts";
import { type PageText, sceneOf } from "./page.ts";
import { placeOf } from "./place.ts";
import { directionOf, hasRightToLeft, plain, shortened } from "./texts.ts";

/** The public page of a profile, which is a résumé too, from what is shown of its record. */
export function profilePageText(shown: ShownRecord, owner: Owner): PageText {
  const { slug, location, summary } = shown.profile;
  const look = plainLook(slug);
  const name = owner.name ?? slug;
  const place = visible(location.value);
  const icons = new Set<Icon>(owner.addressIcons);
  const side = header(shown, name, owner, icons);
  const sections = [
    work(shown.jobs, owner),
    projects(shown.projects, owner),
    education(shown.education, owner),
    linkTrees(shown.linkTrees, owner),
  ].filter((one) => one !== undefined);
  const body = html`${iconShapes(icons)}<div class="site">${side}<main>${sections}</main></div>`;
  return {
    opening: pageOpening(owner.language ?? "en", owner.direction ?? directionOf(name)),
    text: pageRest(
      head(shown, name, owner, look),
      classesOf(look, name, place, summary.value ?? undefined) + lettersClass(name),
      body,
    ),
    scene: sceneOf(name, place ?? name, owner, look),
  };
}

function head(shown: ShownRecord, name: string, owner: Owner, look: Look): Html {
  const heading = plain(name);
  const about = visible(shown.profile.summary.value);
  const summary = about ? shortened(plain(about)) : undefined;
  // The page itself has the description, for whoever reads this.
  const { "@context": context, description, ...person } = jsonLdOf(shown);
  const data = jsonBlock(
    "application/ld+json",
    JSON.stringify({ "@context": context, "@type": "ProfilePage", mainEntity: person }),
  );
  return html`<meta property="og:image:alt" content="${heading}"><title>${heading}</title>${summary && html`<meta name="description" content="${summary}">`}<meta name="robots" content="index,follow"><meta property="og:type" content="profile"><meta property="og:title" content="${heading}">${summary && html`<meta property="og:description" content="${summary}">`}${look.themeColours}${pageIcon(look, initialOf(name))}${owner.meLinks}${owner.name === undefined ? undefined : data}`;
}

function header(shown: ShownRecord, name: string, owner: Owner, icons: Set<Icon>): Html {
  const { location, summary, phone } = shown.profile;
  const number = visible(phone.value);
  if (number !== undefined) icons.add(ICONS.telephone);
  const dialled = number && dialledIn(number);
  const call =
    number &&
    html`<li><a${dialled && html` href="tel:${dialled}"`}>${ICONS.telephone.use}<span dir="ltr">${number}</span></a>`;
  const place = visible(location.value);
  const about = visible(summary.value);
  const ways =
    owner.addressItems.length === 0 && !call
      ? undefined
      : html`<ul class="ways">${owner.addressItems}${call}</ul>`;
  return html`<header>${owner.face}<h1>${name}</h1>${place && html`<p class="place">${place}</p>`}${about && html`<p class="about">${about}</p>`}${ways}<p class="keep"${owner.wordsLanguage}><a href="${owner.profilePath}.vcf" rel="nofollow">${owner.words.saveContact}</a></p></header>`;
}

function section(
  title: string,
  kind: string,
  items: readonly Html[],
  { wordsLanguage }: Owner,
): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<section><h2${wordsLanguage}>${title}</h2><ul class="${kind}">${items}</ul></section>`;
}

function work(jobs: readonly Job[], owner: Owner): Html | undefined {
  const items = jobs.map((job) => {
    const company = linked(job.companyName, job.companyUrl);
    const remote = job.isRemote
      ? html`<span class="tag"${owner.wordsLanguage}>${owner.words.remote}</span>`
      : undefined;
    return html`<li>${period(job, owner)}<div>${heading(job.title)}${where(company, remote)}${words(job.description)}${technologies(job.technologies)}</div>`;
  });
  return section(owner.words.work, "entries", items, owner);
}

function projects(projects: readonly Project[], owner: Owner): Html | undefined {
  const items = projects.map((project) => {
    const { title, role, demoUrl, repoUrl } = project;
    const open = project.isOpenSource
      ? html`<span class="tag"${owner.wordsLanguage}>${owner.words.openSource}</span>`
      : undefined;
    const demo = demoUrl ? way(owner.words.visit, title, demoUrl) : undefined;
    const source = repoUrl ? way(owner.words.source, title, repoUrl) : undefined;
    return html`<li>${period(project, owner)}<div>${heading(title)}${where(visible(role) && html`<span>${role}</span>`, open, demo, source)}${words(project.shortDescription)}${words(project.description)}${technologies(project.technologies)}</div>`;
  });
  return section(owner.words.projects, "entries", items, owner);
}

function education(studies: readonly Education[], owner: Owner): Html | undefined {
  const items = studies.map((study) => {
    const { institution, institutionUrl, fieldOfStudy, studyLevel } = study;
    const level = owner.words.levels[studyLevel];
    const field = visible(fieldOfStudy);
    const title = field ? html`<h3>${field}</h3>` : html`<h3${owner.wordsLanguage}>${level}</h3>`;
    return html`<li>${period(study, owner)}<div>${title}${where(linked(institution, institutionUrl), field && html`<span${owner.wordsLanguage}>${level}</span>`)}${words(study.description)}</div>`;
  });
  return section(owner.words.education, "entries", items, owner);
}

function linkTrees(trees: readonly LinkTree[], owner: Owner): Html | undefined {
  const items = trees.map(
    ({ slug, title }) => html`<li><a href="${pagePath(slug)}">${visible(title) ?? owner.name ?? slug}</a>`,
  );
  return section(owner.words.links, "trees", items, owner);
}

function heading(title: string): Html | undefined {
  return visible(title) === undefined ? undefined : html`<h3>${title}</h3>`;
}

/** The line below a heading, where there is something to say in it. The style drops the spaces, which others read. */
function where(...parts: readonly (Html | "" | undefined)[]): Html | undefined {
  const [first, ...others] = parts.filter((part) => part !== "" && part !== undefined);
  return first && html`<p class="where">${first}${others.map((part) => html` ${part}`)}</p>`;
}

/** A link without a name says where it leads. */
function linked(name: string, url: string | undefined): Html | undefined {
  const shown = visible(name);
  if (url === undefined) return shown === undefined ? undefined : html`${name}`;
  return html`<a href="${url}">${shown === undefined ? placeOf(url).name : name}</a>`;
}

/** Where a project can be seen. On paper it says where that is. */
function way(word: string, title: string, url: string): Html {
  const label = visible(title) && html` aria-label="${word}: ${title}"`;
  return html`<a href="${url}"${label} data-place="${placeOf(url).name}">${word}</a>`;
}

function words(text: string | null): Html | undefined {
  const shown = visible(text);
  return shown === undefined ? undefined : html`<p class="words">${shown}</p>`;
}

/** Between two names. It stays with the first of them: no line begins with it. */
const DOT = "\u00a0· ";

function technologies(all: readonly string[]): Html | undefined {
  const names = all.filter(visible);
  if (names.length === 0) return undefined;
  const listed = names.join(DOT);
  if (!hasRightToLeft(listed)) return html`<p class="with">${listed}</p>`;
  // Beside a name that is read from right to left, the signs of C++ would stand on the wrong side of it.
  const isolated = names.map((name, index) => html`${index === 0 ? "" : DOT}<bdi>${name}</bdi>`);
  return html`<p class="with">${isolated}</p>`;
}

interface Period {
  readonly startDate?: string | undefined;
  readonly endDate?: string | null | undefined;
  readonly isCurrent: boolean;
}

function period(
  { startDate, endDate, isCurrent }: Period,
  { language = "en", words, wordsLanguage }: Owner,
): Html {
  const start = startDate ? monthIn(language, startDate) : "";
  const now = wordsLanguage ? html`<span${wordsLanguage}>${words.now}</span>` : words.now;
  const end = isCurrent ? now : endDate ? monthIn(language, endDate) : "";
  if (start === "" || end === "" || start === end) return html`<p class="period">${start || end}</p>`;
  return html`<p class="period">${start} &ndash; ${end}</p>`;
}
