import type { View } from "../contract/access.ts";

/** What a record is made into when somebody first asks for it, rather than at every save. */
export type RenditionName =
  | { readonly kind: "page"; readonly treeId: string }
  | { readonly kind: "profile" | "card" | ResumeKind; readonly treeId: "" };

export type RenditionKind = RenditionName["kind"];

/** The résumé of each view. */
export const RESUME_KINDS = { full: "resume", public: "public resume" } as const satisfies Record<
  View,
  string
>;

type ResumeKind = (typeof RESUME_KINDS)[View];
