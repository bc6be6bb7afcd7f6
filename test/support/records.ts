import { checkRecord, type RecordInput } from "../../src/records/schema.ts";

/** A record as a person would write it, with every part present. Each number gives another person. */
export function writtenRecord(number = 1) {
  return {
    codehostId: 1000 + number,
    email: `person${number}@example.com`,
    profile: {
      isPublic: true,
      slug: `person-${number}`,
      name: { isPublic: true, value: `Person ${number}` },
      avatarUrl: { isPublic: true, value: `https://person${number}.example/me.png` },
      phone: { isPublic: false, value: "+1 555 0100" },
      url: { isPublic: true, value: `https://person${number}.example/` },
      summary: { isPublic: true, value: "Makes things." },
      location: { isPublic: false, value: "Lisbon" },
      codehostUrl: { isPublic: true, value: `https://codehost.example/person${number}` },
      socialnetworkUrl: { isPublic: false, value: `https://social.example/person${number}` },
      microblogUrl: { isPublic: true, value: null },
      professionalnetworkUrl: { isPublic: false, value: null },
      videoUrl: { isPublic: true, value: `https://video.example/person${number}` },
    },
    jobs: [
      {
        id: `job-${number}-past`,
        title: "Engineer",
        startDate: "2019-01-01",
        endDate: "2021-06-30T17:00:00+02:00" as string | null,
        isCurrent: false,
        isPublic: true,
        companyName: "Past Ltd",
        technologies: ["TypeScript", "SQL"],
        description: "Built it.",
        isRemote: false,
        companyUrl: "https://past.example/",
        listingId: "listing-past",
      },
      {
        id: `job-${number}-now`,
        title: "Lead",
        startDate: "2021-07-01",
        endDate: null,
        isCurrent: true,
        isPublic: true,
        companyName: "Now Ltd",
        technologies: ["TypeScript"],
        description: "Keeps it running.",
        isRemote: true,
        companyUrl: "https://now.example/",
        listingId: "listing-now",
      },
    ],
    projects: [
      {
        title: "Kite",
        shortDescription: "Flies.",
        technologies: ["Paper"],
        isCurrent: false,
        isRemote: false,
        isOpenSource: true,
        description: null as string | null,
        role: "Maker",
        startDate: "2020-02-02",
        endDate: "2020-03-03" as string | null,
        repoUrl: "https://codehost.example/kite",
        demoUrl: null as string | null,
        jobId: `job-${number}-past` as string | null,
      },
    ],
    linkTrees: [
      {
        title: "Everything",
        description: "All of it." as string | null,
        slug: `everything-${number}`,
        links: [
          { label: "Home", url: `https://person${number}.example/` },
          { label: "Write", url: `mailto:person${number}@example.com` },
        ],
      },
      {
        title: "Empty",
        description: null as string | null,
        slug: `empty-${number}`,
        links: [] as { label: string; url: string }[],
      },
    ],
    education: [
      {
        institution: "University",
        institutionUrl: "https://university.example/",
        studyLevel: "MASTER",
        fieldOfStudy: "Mathematics",
        startDate: "2014-09-01",
        endDate: "2018-06-30",
        isCurrent: false,
        description: null as string | null,
      },
    ],
  };
}

/** A record as the store takes it. Fails the test that wrote a wrong one. */
export function checkedRecord(value: unknown): RecordInput {
  const checked = checkRecord(value);
  if ("problems" in checked) throw new Error(`not a valid record: ${JSON.stringify(checked.problems)}`);
  return checked.input;
}
