import type { UserRecord } from "../../src/records/record.ts";

/** A record in which everything that not everybody may see is replaced, as the rule says it in words. */
export function withPrivateParts(record: UserRecord, mark: string, codehostId: number): UserRecord {
  const { profile } = record;
  const url = `https://${mark}.example/`;
  const fields = Object.entries(profile).map(([name, field]) => {
    if (typeof field !== "object" || (profile.isPublic && field.isPublic)) return [name, field];
    return [name, { ...field, value: /url$/i.test(name) ? url : mark }];
  });
  const hiddenId = (id: string) => `${mark}-${id}`.slice(0, 100);
  const hidden = new Set(record.jobs.filter((job) => !profile.isPublic || !job.isPublic).map(({ id }) => id));
  return {
    ...record,
    codehostId,
    email: `${mark}@example.com`,
    profile: Object.fromEntries(fields) as UserRecord["profile"],
    jobs: record.jobs.map((job) =>
      hidden.has(job.id)
        ? {
            ...job,
            id: hiddenId(job.id),
            title: mark,
            companyName: mark,
            companyUrl: url,
            listingId: mark,
            description: mark,
            technologies: [mark],
          }
        : job,
    ),
    projects: record.projects.map((project) => {
      const jobId = hidden.has(project.jobId ?? "") ? hiddenId(project.jobId ?? "") : project.jobId;
      if (profile.isPublic) return { ...project, jobId };
      const words = { title: mark, shortDescription: mark, description: mark, role: mark };
      return { ...project, ...words, technologies: [mark], repoUrl: url, demoUrl: url, jobId };
    }),
    education: record.education.map((entry) =>
      profile.isPublic
        ? entry
        : { ...entry, institution: mark, institutionUrl: url, fieldOfStudy: mark, description: mark },
    ),
  };
}
