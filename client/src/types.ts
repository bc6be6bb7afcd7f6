/*
 * What the API answers with. A field with a question mark is absent where its owner has left it out. Written by hand,
 * so that an editor shows what a field means, and held equal to the server's own schemas by a test.
 */

/** An instant in UTC, such as `2026-04-12T08:30:00.000Z`. */
export type Timestamp = string;

/** A value of a profile with the flag that its owner gave it. With the full view the value is there, public or not. */
export interface DataField {
  /** Whether the owner marked the value public. Show it only if so. */
  isPublic: boolean;
  /** `null` where it is not set or, for a key of the public view, not shown. */
  value: string | null;
}

export interface Link {
  id: string;
  label: string;
  /** An http, https, mailto or tel URL. */
  url: string;
}

export interface PublicLinkTree {
  id: string;
  title: string;
  description: string | null;
  /** What `linkTree(slug)` takes. Unique over the whole server. */
  slug: string;
  /** In the order that their author gave them. */
  links: Link[];
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface Profile {
  updatedAt: Timestamp;
  /** Whether the profile as a whole is public. */
  isPublic: boolean;
  slug: string;
  name: DataField;
  /** A picture: an http or https URL. */
  avatarUrl: DataField;
  phone: DataField;
  /** The user's own website. */
  url: DataField;
  summary: DataField;
  location: DataField;
  codehostUrl: DataField;
  socialnetworkUrl: DataField;
  microblogUrl: DataField;
  professionalnetworkUrl: DataField;
  videoUrl: DataField;
}

export interface Job {
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** Identifies the user whose job it is. */
  userId: string;
  title: string;
  startDate: Timestamp;
  /** `null` for a current job. */
  endDate: Timestamp | null;
  isCurrent: boolean;
  /** Whether the owner marked the job public. Show it only if so. */
  isPublic: boolean;
  companyName: string;
  technologies: string[];
  description: string;
  isRemote: boolean;
  companyUrl?: string;
  /** Identifies the listing (company) where the role is held. */
  listingId?: string;
}

export interface Project {
  title: string;
  shortDescription: string;
  technologies: string[];
  isCurrent: boolean;
  isRemote: boolean;
  isOpenSource: boolean;
  description: string | null;
  role?: string;
  startDate?: Timestamp;
  endDate: Timestamp | null;
  repoUrl?: string;
  demoUrl: string | null;
  /** The job that the project belongs to. */
  jobId: string | null;
}

export type StudyLevel =
  | "HIGH_SCHOOL"
  | "ASSOCIATE"
  | "BACHELOR"
  | "MASTER"
  | "DOCTORATE"
  | "BOOTCAMP"
  | "OTHER";

export interface Education {
  institution: string;
  institutionUrl?: string;
  studyLevel: StudyLevel;
  fieldOfStudy?: string;
  startDate?: Timestamp;
  endDate?: Timestamp;
  isCurrent: boolean;
  description: string | null;
}

/** What a key of the public view gets of a user: nothing of it is private. */
export interface PublicUser {
  createdAt: Timestamp;
  updatedAt: Timestamp;
  profile: Profile;
  /** Current ones first, then by start date, newest first. So are projects and education. */
  jobs: Job[];
  projects: Project[];
  /** Oldest first. */
  linkTrees: PublicLinkTree[];
  education: Education[];
}

/**
 * The whole record of a user, for a key of the full view. It is private data: it holds values that the user marked
 * private. `publicProfile` makes of it what may be shown.
 */
export interface FullUser extends PublicUser {
  /** The user's number at an external code-hosting service. */
  codehostId?: number;
  email: string;
}

/** The addresses of a profile. One that is unset or marked private is `null`. */
export interface PublicLinks {
  url: string | null;
  codehostUrl: string | null;
  socialnetworkUrl: string | null;
  microblogUrl: string | null;
  professionalnetworkUrl: string | null;
  videoUrl: string | null;
}

/** A JSON Resume (jsonresume.org), version 1.0.0, with what Vitrine writes of it. What is unset is absent. */
export interface Resume {
  $schema: "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json";
  basics: {
    name?: string;
    image?: string;
    email?: string;
    phone?: string;
    url?: string;
    summary?: string;
    location?: { city: string };
    profiles: { network: string; url: string }[];
  };
  work: {
    /** The company. */
    name: string;
    position: string;
    url?: string;
    /** A day, such as `2026-04-12`, as all dates here are. */
    startDate?: string;
    endDate?: string;
    summary?: string;
    /** The technologies. */
    keywords?: string[];
  }[];
  education: {
    institution: string;
    url?: string;
    area?: string;
    /** What the studies lead to. */
    studyType: string;
    startDate?: string;
    endDate?: string;
  }[];
  projects: {
    name: string;
    description: string;
    /** The long description, line by line. */
    highlights?: string[];
    /** The technologies. */
    keywords?: string[];
    startDate?: string;
    endDate?: string;
    url?: string;
    roles?: string[];
  }[];
  meta: { version: "v1.0.0" };
}
