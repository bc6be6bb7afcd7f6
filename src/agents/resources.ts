import type { RouteName } from "../contract/routes.ts";

/** A document that an agent's user can attach to a conversation as it is. */
interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly route: RouteName;
}

export const RESOURCES: readonly Resource[] = [
  {
    uri: "vitrine://user/full",
    name: "full",
    title: "The whole profile",
    description: "Account, profile, jobs, projects, link trees and education in one document.",
    route: "full",
  },
  {
    uri: "vitrine://user/resume",
    name: "resume",
    title: "Résumé",
    description: "The same as a JSON Resume, which other programs read.",
    route: "resume",
  },
];
