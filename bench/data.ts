const PROSE =
  "Drew up charts for small boats, kept the servers quiet at night, taught two interns to love plain SQL, and wrote down why. ".repeat(
    8,
  );

/** Prose of a length that differs from user to user, so that bodies do. */
function prose(user: number, least: number): string {
  return PROSE.slice(0, least + ((user * 7919) % 120));
}

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
  return {
    codehostId: user,
    email: `user${user}@example.com`,
    profile: {
      isPublic: true,
      slug: `user-${user}`,
      name: shown(`User ${user}`),
      avatarUrl: shown(`${address}/portrait.jpg`),
      phone: shown("+47 555 01 234"),
      url: shown(`${address}/`),
      summary: shown(prose(user, 200)),
      location: shown("Bergen, Norway"),
      codehostUrl: shown(`https://codehost.example/user${user}`),
      socialnetworkUrl: shown(null),
      microblogUrl: shown(`https://microblog.example/@user${user}`),
      professionalnetworkUrl: shown(`https://network.example/in/user${user}`),
      videoUrl: shown(null),
    },
    jobs: range(half(4)).map((index) => ({
      id: `job-${user}-${index}`,
      title: "Engineer",
      startDate: `201${index}-02-01`,
      endDate: index === 3 ? null : `201${index + 1}-01-31`,
      isCurrent: index === 3,
      isPublic: true,
      companyName: `Company ${index}`,
      technologies: ["TypeScript", "PostgreSQL", "Bun"],
      description: prose(user, 130),
      isRemote: index % 2 === 0,
      companyUrl: `https://company${index}.example/`,
      listingId: `listing-${index}`,
    })),
    projects: range(half(5)).map((index) => ({
      title: `Project ${index}`,
      shortDescription: prose(user, 40),
      technologies: ["TypeScript", "SQLite"],
      isCurrent: index === 0,
      isRemote: true,
      isOpenSource: true,
      description: prose(user, 90),
      role: "Maintainer",
      startDate: `202${index}-05-01`,
      endDate: index === 0 ? null : `202${index}-11-30`,
      repoUrl: `https://codehost.example/user${user}/project-${index}`,
      demoUrl: null,
      jobId: index === 1 ? `job-${user}-1` : null,
    })),
    linkTrees: range(shape.links ? 1 : half(2)).map((tree) => ({
      title: `Tree ${tree}`,
      description: "Where to find me.",
      slug: `user-${user}-${tree}`,
      // Each at a time of its own: what came first of two from one moment, not every contender can tell.
      createdAt: `2024-0${tree + 1}-01T00:00:00.000Z`,
      links: range(shape.links ?? 8).map((link) => ({
        label: `Link ${link}`,
        url: `${address}/${tree}/${link}`,
      })),
    })),
    education: range(half(2)).map((index) => ({
      institution: "University of Bergen",
      institutionUrl: "https://uib.example/",
      studyLevel: index === 0 ? "MASTER" : "BACHELOR",
      fieldOfStudy: "Mathematics",
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
