import { Pen } from "./prose.ts";
import {
  COMPANY_ENDINGS,
  COUNTRIES,
  FIRST_NAMES,
  LAST_NAMES,
  LINK_LABELS,
  OCCUPATIONS,
  PLACES,
  SENIORITY,
  SUBJECTS,
  TECHNOLOGIES,
} from "./words.ts";

export interface Shape {
  /** The number of links in one link tree, instead of two trees of eight. */
  readonly links?: number;
  /** Half of everything: 2 jobs, 2 projects, 1 education, 1 tree. */
  readonly half?: boolean;
}

/** A record of the size that the targets are stated for: 4 jobs, 5 projects, 2 educations, 2 trees of 8 links. */
export function benchRecord(user: number, shape: Shape = {}) {
  const address = `https://user${user}.example`;
  const half = (count: number) => (shape.half ? Math.floor(count / 2) : count);
  const shown = (value: string | null) => ({ isPublic: user % 3 !== 0, value });
  const pen = new Pen(user);
  const name = `${pen.oneOf(FIRST_NAMES)} ${pen.oneOf(LAST_NAMES)}`;
  return {
    codehostId: user,
    email: `user${user}@example.com`,
    profile: {
      isPublic: true,
      slug: `user-${user}`,
      name: shown(name),
      avatarUrl: shown(`${address}/portrait.jpg`),
      phone: shown(`+47 555 ${10 + pen.below(90)} ${100 + pen.below(900)}`),
      url: shown(`${address}/`),
      summary: shown(pen.prose(220)),
      location: shown(`${pen.oneOf(PLACES)}, ${pen.oneOf(COUNTRIES)}`),
      codehostUrl: shown(`https://codehost.example/user${user}`),
      socialnetworkUrl: shown(null),
      microblogUrl: shown(`https://microblog.example/@user${user}`),
      professionalnetworkUrl: shown(`https://network.example/in/user${user}`),
      videoUrl: shown(null),
    },
    jobs: range(half(4)).map((index) => ({
      id: `job-${user}-${index}`,
      title: `${pen.likelyOneOf(SENIORITY)} ${pen.likelyOneOf(OCCUPATIONS)}`.trim(),
      startDate: `201${index}-02-01`,
      endDate: index === 3 ? null : `201${index + 1}-01-31`,
      isCurrent: index === 3,
      isPublic: true,
      companyName: `${pen.oneOf(LAST_NAMES)} ${pen.oneOf(COMPANY_ENDINGS)}`,
      technologies: pen.some(TECHNOLOGIES, 2 + pen.below(3)),
      description: pen.prose(168),
      isRemote: index % 2 === 0,
      companyUrl: `https://company-${pen.below(20_000)}.example/`,
      listingId: `listing-${pen.below(100_000)}`,
    })),
    projects: range(half(5)).map((index) => ({
      title: pen.phrase(2 + pen.below(2)),
      shortDescription: `${pen.phrase(6 + pen.below(9))}.`,
      technologies: pen.some(TECHNOLOGIES, 1 + pen.below(3)),
      isCurrent: index === 0,
      isRemote: true,
      isOpenSource: true,
      description: pen.prose(115),
      role: "Maintainer",
      startDate: `202${index}-05-01`,
      endDate: index === 0 ? null : `202${index}-11-30`,
      repoUrl: `https://codehost.example/user${user}/project-${index}`,
      demoUrl: null,
      jobId: index === 1 ? `job-${user}-1` : null,
    })),
    linkTrees: range(shape.links ? 1 : half(2)).map((tree) => ({
      title: pen.phrase(2),
      description: `${pen.phrase(3 + pen.below(3))}.`,
      slug: `user-${user}-${tree}`,
      // Each at a time of its own: what came first of two from one moment, not every contender can tell.
      createdAt: `2024-0${tree + 1}-01T00:00:00.000Z`,
      links: range(shape.links ?? 8).map((link) => ({
        label: pen.oneOf(LINK_LABELS),
        url: `${address}/${tree}/${link}`,
      })),
    })),
    education: range(half(2)).map((index) => ({
      institution: `University of ${pen.oneOf(PLACES)}`,
      institutionUrl: `https://university-${pen.below(500)}.example/`,
      studyLevel: index === 0 ? "MASTER" : "BACHELOR",
      fieldOfStudy: pen.oneOf(SUBJECTS),
      startDate: `200${index}-08-15`,
      endDate: `200${index + 4}-06-15`,
      isCurrent: false,
      description: null,
    })),
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
