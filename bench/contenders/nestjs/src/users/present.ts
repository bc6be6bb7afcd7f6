import type { Education } from "../entities/education.entity.js";
import type { Job } from "../entities/job.entity.js";
import type { LinkTree } from "../entities/link-tree.entity.js";
import type { Profile } from "../entities/profile.entity.js";
import type { Project } from "../entities/project.entity.js";
import type { User } from "../entities/user.entity.js";

/** Entities as they go out: with the fields of the contract, and no others. */

function presentProfile({ userId, user, ...profile }: Profile) {
  return profile;
}

function presentJob({ id, user, ...job }: Job) {
  return job;
}

function presentProject({ id, userId, user, ...project }: Project) {
  return project;
}

function presentEducation({ id, userId, user, ...education }: Education) {
  return education;
}

export function presentLinkTree({ userId, user, links, ...tree }: LinkTree) {
  return { ...tree, links: links.map(({ id, label, url }) => ({ id, label, url })) };
}

export function presentUser({ id, ...user }: User) {
  return {
    ...user,
    profile: presentProfile(user.profile),
    jobs: user.jobs.map(presentJob),
    projects: user.projects.map(presentProject),
    linkTrees: user.linkTrees.map(presentLinkTree),
    education: user.education.map(presentEducation),
  };
}
