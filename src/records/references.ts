import { matchJobs } from "./matching.ts";
import { formatPlace, type Problem } from "./problems.ts";
import type { Job, Project, UserRecord } from "./record.ts";
import type { RecordInput } from "./schema.ts";

/** The projects of a record. They name jobs by the ids these came with, and a stored job may go by another. */
export function resolveJobs(input: RecordInput, jobs: readonly Job[]): Project[] {
  const ids = new Map(input.jobs.map((job, index) => [job.id, jobs[index]?.id]));
  return input.projects.map((project) => {
    const jobId = project.jobId === null ? undefined : ids.get(project.jobId);
    return jobId === undefined || jobId === project.jobId ? project : { ...project, jobId };
  });
}

/**
 * Projects that name no job of their record, neither by the id it came with nor by the one it has had since before.
 * The answers of the API show jobs without ids, so only what is stored can tell whether such a reference is good.
 */
export function unresolvedJobs(input: RecordInput, earlier: UserRecord | undefined): Problem[] {
  const known = new Set<string | undefined>(input.jobs.map((job) => job.id));
  if (earlier) for (const job of matchJobs(input.jobs, earlier.jobs)) known.add(job?.id);
  return input.projects.flatMap(({ jobId }, index) => {
    if (jobId === null || known.has(jobId)) return [];
    return [{ place: formatPlace(["projects", index, "jobId"]), message: "names no job of this record" }];
  });
}
