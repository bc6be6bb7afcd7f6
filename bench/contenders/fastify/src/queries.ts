import { asc, desc, eq, sql } from "drizzle-orm";
import type { AppDatabase } from "./database.js";
import { apiKeys, educations, jobs, links, linkTrees, projects, users } from "./schema.js";

const userId = sql.placeholder("userId");

const linkTreeShape = {
  columns: { userId: false },
  orderBy: [asc(linkTrees.createdAt), asc(linkTrees.id)],
  with: { links: { columns: { id: true, label: true, url: true }, orderBy: [asc(links.position)] } },
};

/** Every query of the service, prepared once. */
export function prepareQueries(database: AppDatabase) {
  return {
    key: database
      .select({ userId: apiKeys.userId, expiresAt: apiKeys.expiresAt, revokedAt: apiKeys.revokedAt })
      .from(apiKeys)
      .where(eq(apiKeys.hash, sql.placeholder("hash")))
      .prepare(),
    full: database.query.users
      .findFirst({
        columns: { id: false },
        where: eq(users.id, userId),
        with: {
          profile: true,
          jobs: { columns: { id: false }, orderBy: [desc(jobs.isCurrent), desc(jobs.startDate)] },
          projects: {
            columns: { id: false, userId: false },
            orderBy: [desc(projects.isCurrent), desc(projects.startDate)],
          },
          linkTrees: linkTreeShape,
          education: {
            columns: { id: false, userId: false },
            orderBy: [desc(educations.isCurrent), desc(educations.startDate)],
          },
        },
      })
      .prepare(),
    linkTrees: database.query.linkTrees
      .findMany({ ...linkTreeShape, where: eq(linkTrees.userId, userId) })
      .prepare(),
  };
}

export type Queries = ReturnType<typeof prepareQueries>;
