import { z } from "zod";
import {
  codehostId,
  educationFields,
  email,
  identifier,
  jobFields,
  linkFields,
  linkTreeFields,
  profileFields,
  projectFields,
  utcTimestamp,
  webUrl,
} from "./fields.ts";
import { Resume } from "./resume.ts";
import type { Route } from "./routes.ts";

/** The shapes that go out, with exactly these fields in this order. */

export const Link = z.strictObject({ id: identifier, ...linkFields });

export const PublicLinkTree = z.strictObject({
  id: identifier,
  ...linkTreeFields,
  links: z.array(Link),
  createdAt: utcTimestamp,
  updatedAt: utcTimestamp,
});

export const Profile = z.strictObject({ updatedAt: utcTimestamp, ...profileFields });

export const Job = z.strictObject({
  createdAt: utcTimestamp,
  updatedAt: utcTimestamp,
  userId: identifier,
  ...jobFields(utcTimestamp),
});

export const Project = z.strictObject(projectFields(utcTimestamp));

export const Education = z.strictObject(educationFields(utcTimestamp));

export const FullUser = z.strictObject({
  createdAt: utcTimestamp,
  updatedAt: utcTimestamp,
  codehostId,
  email,
  profile: Profile,
  jobs: z.array(Job),
  projects: z.array(Project),
  linkTrees: z.array(PublicLinkTree),
  education: z.array(Education),
});

/** What `/user/full` answers to a key that sees the public view: a value or a job that is not shown is not there. */
export const PublicUser = FullUser.omit({ codehostId: true, email: true });

export const PublicLinks = z.strictObject({
  url: webUrl.nullable(),
  codehostUrl: webUrl.nullable(),
  socialnetworkUrl: webUrl.nullable(),
  microblogUrl: webUrl.nullable(),
  professionalnetworkUrl: webUrl.nullable(),
  videoUrl: webUrl.nullable(),
});

export { Resume };

/** What each route answers with. */
export const RESPONSES = {
  full: FullUser,
  linktrees: z.array(PublicLinkTree),
  linktree: PublicLinkTree,
  links: PublicLinks,
  jobs: z.array(Job),
  projects: z.array(Project),
  education: z.array(Education),
  resume: Resume,
} as const satisfies Record<Route["document"], z.ZodType>;
