import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { FullUser, RESPONSES } from "../contract/responses.ts";
import type { RouteName } from "../contract/routes.ts";

/** One question that an agent may ask. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The path of the API that has the answer. */
  readonly route: RouteName;
  /** Whether it is about one link tree, which the agent names by its slug. */
  readonly isAboutTree: boolean;
  readonly output: StandardSchemaWithJSON;
  /** The answer in the form of an object, which the protocol asks for. */
  readonly answer: (document: unknown) => Record<string, unknown>;
}

/** A key that sees the public view gets neither number nor address. */
const Account = FullUser.omit({ jobs: true, projects: true, linkTrees: true, education: true }).partial({
  codehostId: true,
  email: true,
});

const whole = (document: unknown) => document as Record<string, unknown>;

/** A list under the name that it has in the full record. */
function listed(name: string, route: RouteName) {
  return {
    route,
    isAboutTree: false,
    output: shown(z.strictObject({ [name]: RESPONSES[route] })),
    answer: (document: unknown) => ({ [name]: document }),
  };
}

/** All of the API's reads, each with the shape that the contract has for its answer. */
export const TOOLS: readonly Tool[] = [
  {
    name: "get_profile",
    title: "Profile",
    description:
      "Who the user is: name, summary, location, picture and addresses, each with the flag that says whether its owner shows it to everybody.",
    route: "full",
    isAboutTree: false,
    output: shown(Account),
    answer: (document) => {
      const { jobs, projects, linkTrees, education, ...account } = whole(document);
      return account;
    },
  },
  {
    name: "get_links",
    title: "Public addresses",
    description:
      "The addresses that the user shows to everybody: own site, code host, networks, videos. One that is unset or private is null.",
    route: "links",
    isAboutTree: false,
    output: shown(RESPONSES.links),
    answer: whole,
  },
  {
    name: "list_link_trees",
    title: "Link trees",
    description: "All of the user's link trees with their links, oldest first.",
    ...listed("linkTrees", "linktrees"),
  },
  {
    name: "get_link_tree",
    title: "One link tree",
    description: "One of the user's link trees with its links, by its slug. list_link_trees has the slugs.",
    route: "linktree",
    isAboutTree: true,
    output: shown(RESPONSES.linktree),
    answer: whole,
  },
  {
    name: "list_jobs",
    title: "Jobs",
    description: "The user's jobs: current ones first, then by start date, newest first.",
    ...listed("jobs", "jobs"),
  },
  {
    name: "list_projects",
    title: "Projects",
    description: "The user's projects: current ones first, then by start date, newest first.",
    ...listed("projects", "projects"),
  },
  {
    name: "list_education",
    title: "Education",
    description: "The user's education: current entries first, then by start date, newest first.",
    ...listed("education", "education"),
  },
  {
    name: "get_resume",
    title: "Résumé",
    description:
      "The user's record as a JSON Resume, a form that other programs read. What is unset is absent.",
    route: "resume",
    isAboutTree: false,
    output: shown(RESPONSES.resume),
    answer: whole,
  },
];

/**
 * A shape as agents are told it. Answers are not checked against it: they were when they were written, and what has been
 * stored for long may be older than a rule. But clients check, and refuse an answer whole.
 */
function shown(schema: z.ZodType): StandardSchemaWithJSON {
  const { $schema, ...json } = z.toJSONSchema(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "vitrine",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
