import type { DocumentKind } from "../contract/routes.ts";
import type { Job, UserRecord } from "../records/record.ts";

/** A ready answer: the exact bytes to send, and the tag that changes exactly when they do. */
export interface Document {
  readonly etag: string;
  readonly body: Uint8Array;
}

export interface LinkTreeDocument extends Document {
  readonly id: string;
  readonly slug: string;
}

/** Every answer the API can give about one user. */
export interface Documents {
  readonly byKind: Readonly<Record<DocumentKind, Document>>;
  readonly linkTrees: readonly LinkTreeDocument[];
}

/** Compiles a record into documents. Pure: equal records give equal bytes. */
export function compile(record: UserRecord): Documents {
  const trees = record.linkTrees.map((tree) => ({
    id: tree.id,
    slug: tree.slug,
    json: JSON.stringify(tree),
  }));
  const linkTrees = `[${trees.map((tree) => tree.json).join()}]`;
  const jobs = JSON.stringify(record.jobs.map(publicJob));
  const projects = JSON.stringify(record.projects);
  const education = JSON.stringify(record.education);
  const account = JSON.stringify({
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    codehostId: record.codehostId,
    email: record.email,
    profile: record.profile,
  });
  const full = `${account.slice(0, -1)},"jobs":${jobs},"projects":${projects},"linkTrees":${linkTrees},"education":${education}}`;

  return {
    byKind: {
      full: toDocument(full),
      linktrees: toDocument(linkTrees),
      links: toDocument(JSON.stringify(publicLinks(record))),
      jobs: toDocument(jobs),
      projects: toDocument(projects),
      education: toDocument(education),
    },
    linkTrees: trees.map(({ id, slug, json }) => ({ id, slug, ...toDocument(json) })),
  };
}

/** A job goes out without its id: projects refer to it, but the contract does not show it. */
function publicJob({ id, ...job }: Job): Omit<Job, "id"> {
  return job;
}

function publicLinks({ profile }: UserRecord): Record<string, string | null> {
  const shown = (field: { isPublic: boolean; value: string | null }) => (field.isPublic ? field.value : null);
  return {
    url: shown(profile.url),
    codehostUrl: shown(profile.codehostUrl),
    socialnetworkUrl: shown(profile.socialnetworkUrl),
    microblogUrl: shown(profile.microblogUrl),
    professionalnetworkUrl: shown(profile.professionalnetworkUrl),
    videoUrl: shown(profile.videoUrl),
  };
}

const encoder = new TextEncoder();

function toDocument(json: string): Document {
  const body = encoder.encode(json);
  const digest = new Bun.CryptoHasher("sha256").update(body).digest();
  return { etag: `"${digest.subarray(0, 16).toString("base64url")}"`, body };
}
