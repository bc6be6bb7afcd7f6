import { NETWORK_FIELDS } from "../records/networks.ts";
import type { ResumeSource } from "./resume.ts";

/** A Person of schema.org, for search engines and whoever reads linked data. */
export function jsonLdOf({ profile, jobs, education, email }: ResumeSource): Record<string, unknown> {
  const current = jobs.filter(({ isCurrent }) => isCurrent);
  const addresses = NETWORK_FIELDS.flatMap((field) => profile[field].value ?? []);
  const location = profile.location.value;
  return withoutNothing({
    "@context": "https://schema.org",
    "@type": "Person",
    name: profile.name.value,
    description: profile.summary.value,
    image: profile.avatarUrl.value,
    url: profile.url.value,
    email,
    telephone: profile.phone.value,
    homeLocation: location === null ? null : { "@type": "Place", name: location },
    sameAs: addresses,
    jobTitle: current.map(({ title }) => title),
    worksFor: current.map(({ companyName, companyUrl }) =>
      withoutNothing({ "@type": "Organization", name: companyName, url: companyUrl }),
    ),
    alumniOf: education.map(({ institution, institutionUrl }) =>
      withoutNothing({ "@type": "EducationalOrganization", name: institution, url: institutionUrl }),
    ),
  });
}

function withoutNothing(object: Record<string, unknown>): Record<string, unknown> {
  const isNothing = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value)));
}
