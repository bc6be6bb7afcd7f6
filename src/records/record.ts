import type { RecordInput } from "./schema.ts";

type JobInput = RecordInput["jobs"][number];
type LinkTreeInput = RecordInput["linkTrees"][number];
type LinkInput = LinkTreeInput["links"][number];

/** The fields that are present once the server has set them. */
type Settled<Input, Field extends keyof Input> = Omit<Input, Field> & {
  [name in Field]-?: NonNullable<Input[name]>;
};

export type Link = Settled<LinkInput, "id">;
export type Job = Settled<JobInput, "id" | "userId" | "createdAt" | "updatedAt">;
export type Project = RecordInput["projects"][number];
export type Education = RecordInput["education"][number];
export type Profile = Settled<RecordInput["profile"], "updatedAt">;
export type LinkTree = Settled<
  Omit<LinkTreeInput, "links"> & { links: Link[] },
  "id" | "createdAt" | "updatedAt"
>;

/** Everything Vitrine knows about a user: the source of truth, from which all documents are compiled. */
export interface UserRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly codehostId?: number;
  readonly email: string;
  readonly profile: Profile;
  readonly jobs: readonly Job[];
  readonly projects: readonly Project[];
  readonly linkTrees: readonly LinkTree[];
  readonly education: readonly Education[];
}

/** E-mail addresses are told apart without regard to case. */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
