export { type CachedAnswer, memoryCache, type VitrineCache } from "./cache.ts";
export type { CallOptions, Vitrine } from "./client.ts";
export type { VitrineErrorCode } from "./error-code.ts";
export { VitrineError, VitrineFailure, VitrineNetworkError, VitrineTimeoutError } from "./errors.ts";
export type { VitrineOptions } from "./options.ts";
export {
  type PublicFields,
  type PublicJob,
  type PublicProfile,
  type PublicProject,
  publicProfile,
} from "./public-profile.ts";
export type { NetworkReason } from "./reason.ts";
export type {
  DataField,
  Education,
  FullUser,
  Job,
  Link,
  Profile,
  Project,
  PublicLinks,
  PublicLinkTree,
  PublicUser,
  Resume,
  StudyLevel,
  Timestamp,
} from "./types.ts";
export { vitrine } from "./vitrine.ts";
