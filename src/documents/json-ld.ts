import { visible } from "../records/letters.ts";
import { NETWORK_FIELDS } from "../records/networks.ts";
import type { ResumeSource } from "./resume.ts";

/** A Person of schema.org, for search engines and whoever reads linked data. */
export function jsonLdOf({ profile, jobs, education, email }: ResumeSource): Record<string, unknown> {
  const current = jobs.filter(({ isCurrent }) => isCurrent);
  const addresses = NETWORK_FIELDS.flatMap((field) => profile[field].value ?? []);
  const location = visible(profile.location.value);
  return withoutNothing({
    "@context": "https://schema.org",
    "@type": "Person",
    name: visible(profile.name.value),
    description: visible(profile.summary.value),
    image: profile.avatarUrl.value,
    url: profile.url.value,
    email,
    telephone: visible(profile.phone.value),
    homeLocation: location && { "@type": "Place", name: location },
    sameAs: addresses,
    jobTitle: current.flatMap(({ title }) => visible(title) ?? []),
    worksFor: current.flatMap(({ companyName, companyUrl }) =>
      named("Organization", companyName, companyUrl),
    ),
    // Who still studies somewhere is no alumnus yet.
    affiliation: schoolsOf(education.filter(({ isCurrent }) => isCurrent)),
    alumniOf: schoolsOf(education.filter(({ isCurrent }) => !isCurrent)),
  });
}

function schoolsOf(education: ResumeSource["education"]): Record<string, unknown>[] {
  return education.flatMap(({ institution, institutionUrl }) =>
    named("EducationalOrganization", institution, institutionUrl),
  );
}

/** An organization by what is known of it, or nothing: its name may have been left empty. */
function named(type: string, name: string, url: string | undefined): Record<string, unknown>[] {
  const known = withoutNothing({ name: visible(name), url });
  return Object.keys(known).length === 0 ? [] : [{ "@type": type, ...known }];
}

function withoutNothing(object: Record<string, unknown>): Record<string, unknown> {
  const isNothing = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value)));
}
