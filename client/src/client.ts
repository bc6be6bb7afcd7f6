import { VitrineError } from "./errors.ts";
import { settingsOf, type VitrineOptions } from "./options.ts";
import { read } from "./reading.ts";
import type { Time } from "./time.ts";
import type {
  Education,
  FullUser,
  Job,
  Project,
  PublicLinks,
  PublicLinkTree,
  PublicUser,
  Resume,
} from "./types.ts";

export interface CallOptions {
  /** Ends this call, waits included. It then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Reads the data of the user whose key it has. */
export interface Vitrine<User extends PublicUser = FullUser> {
  /**
   * The whole record. A key of the full view gets private values, too; `publicProfile` makes of it what may be shown.
   */
  full(options?: CallOptions): Promise<User>;
  /** All link trees, oldest first. */
  linkTrees(options?: CallOptions): Promise<PublicLinkTree[]>;
  /** One link tree. Rejects with a `VitrineError` of status 404 if no tree of the user has this slug. */
  linkTree(slug: string, options?: CallOptions): Promise<PublicLinkTree>;
  /** The profile's addresses. One that is unset or marked private is `null`. */
  links(options?: CallOptions): Promise<PublicLinks>;
  /** All jobs that the key sees, with the full view private ones included: current ones first, then by start date, newest first. */
  jobs(options?: CallOptions): Promise<Job[]>;
  /** All projects: current ones first, then by start date, newest first. */
  projects(options?: CallOptions): Promise<Project[]>;
  /** All education: current entries first, then by start date, newest first. */
  education(options?: CallOptions): Promise<Education[]>;
  /** Profile, jobs, education and projects as a JSON Resume, private values included. */
  resume(options?: CallOptions): Promise<Resume>;
}

/** No path can carry such a slug: dots are resolved away, and half a surrogate pair has no encoding. */
const UNSENDABLE = /^\.{0,2}$|\p{Surrogate}/u;

export function makeClient(options: VitrineOptions, time: Time): Vitrine {
  const settings = settingsOf(options);
  const reader =
    <Value>(path: string) =>
    (call?: CallOptions) =>
      read<Value>(settings, time, path, call?.signal);
  return {
    full: reader<FullUser>("/user/full"),
    linkTrees: reader<PublicLinkTree[]>("/user/linktrees"),
    async linkTree(slug, call) {
      if (UNSENDABLE.test(slug)) {
        throw new VitrineError(
          { statusCode: 404, message: "Link tree not found", error: "Not Found" },
          { code: "tree_not_found" },
        );
      }
      return reader<PublicLinkTree>(`/user/linktrees/${encodeURIComponent(slug)}`)(call);
    },
    links: reader<PublicLinks>("/user/links"),
    jobs: reader<Job[]>("/user/jobs"),
    projects: reader<Project[]>("/user/projects"),
    education: reader<Education[]>("/user/education"),
    resume: reader<Resume>("/user/resume"),
  };
}
