import type { FullUser } from "../../client/src/index.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { answersOf } from "./answers.ts";
import { checkedRecord } from "./records.ts";

/** Stands in every value that must not be shown. */
export const PRIVATE = "private0mark";

const PRIVATE_NUMBER = 771_133_551;

/** What tells that something private was shown, wherever it is found. */
export const TRACES = [PRIVATE, String(PRIVATE_NUMBER)];

const hidden = (value: string) => ({ isPublic: false, value });
const shown = (value: string) => ({ isPublic: true, value });

/** A record in which everything that is private says so, and all the rest can be shown. */
export function markedRecord(options: { readonly isPublic?: boolean; readonly picture?: string } = {}) {
  const { isPublic = true, picture = "https://shown.example/me.jpg" } = options;
  const job = {
    startDate: "2020-01-01",
    endDate: null,
    isCurrent: true,
    isRemote: true,
    listingId: `listing-${PRIVATE}`,
  };
  return {
    id: `user-${PRIVATE}`,
    codehostId: PRIVATE_NUMBER,
    email: `${PRIVATE}@example.com`,
    profile: {
      isPublic,
      slug: "shown",
      name: shown("Shown Name"),
      avatarUrl: shown(picture),
      summary: shown("A summary for everybody."),
      phone: hidden(PRIVATE),
      url: hidden(`https://${PRIVATE}.example/`),
      location: hidden(PRIVATE),
      codehostUrl: hidden(`https://codehost.example/${PRIVATE}`),
      socialnetworkUrl: hidden(`https://social.example/${PRIVATE}`),
      microblogUrl: hidden(`https://microblog.example/${PRIVATE}`),
      professionalnetworkUrl: hidden(`https://network.example/${PRIVATE}`),
      videoUrl: hidden(`https://video.example/${PRIVATE}`),
    },
    jobs: [
      {
        ...job,
        id: "job-shown",
        isPublic: true,
        title: "Shown Role",
        companyName: "Shown Company",
        companyUrl: "https://company.example/",
        technologies: ["Shown Technology"],
        description: "Work that may be seen.",
      },
      {
        ...job,
        id: `job-${PRIVATE}`,
        isPublic: false,
        title: PRIVATE,
        companyName: PRIVATE,
        companyUrl: `https://${PRIVATE}.example/job`,
        technologies: [PRIVATE],
        description: PRIVATE,
      },
    ],
    projects: [
      {
        title: "Shown Project",
        shortDescription: "What it is.",
        technologies: ["Paper"],
        isCurrent: false,
        isRemote: false,
        isOpenSource: true,
        description: "More about it.",
        role: "Maker",
        startDate: "2019-02-02",
        endDate: "2019-03-03",
        repoUrl: "https://codehost.example/shown",
        demoUrl: null,
        jobId: `job-${PRIVATE}`,
      },
    ],
    linkTrees: [
      {
        title: "Shown Tree",
        description: null,
        slug: "shown-tree",
        links: [{ label: "Shown Link", url: "https://link.example/" }],
      },
    ],
    education: [
      {
        institution: "Shown School",
        institutionUrl: "https://school.example/",
        studyLevel: "MASTER",
        fieldOfStudy: "Cartography",
        startDate: "2014-09-01",
        endDate: "2018-06-30",
        isCurrent: false,
        description: null,
      },
    ],
  };
}

/** What `/user/full` answers about a record that was just imported. */
export function fullUserOf(record: unknown, now = Date.now()): FullUser {
  return answersOf(reconcile(checkedRecord(record), undefined, now).record).byKind.full.json as FullUser;
}
