import { relations } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const timestamp = (name: string) => integer(name, { mode: "timestamp_ms" });
const boolean = (name: string) => integer(name, { mode: "boolean" });
const strings = (name: string) => text(name, { mode: "json" }).$type<string[]>();

export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  codehostId: integer("codehost_id").notNull(),
  email: text("email").notNull().unique(),
  createdAt: timestamp("created_at").notNull(),
  updatedAt: timestamp("updated_at").notNull(),
});

const owner = () =>
  text("user_id")
    .notNull()
    .references(() => users.id);

export const apiKeys = sqliteTable("api_keys", {
  hash: text("hash").primaryKey(),
  userId: owner(),
  expiresAt: timestamp("expires_at"),
  revokedAt: timestamp("revoked_at"),
});

export const profiles = sqliteTable("profiles", {
  userId: owner().primaryKey(),
  updatedAt: timestamp("updated_at").notNull(),
  isPublic: boolean("is_public").notNull(),
  slug: text("slug").notNull().unique(),
  name: text("name"),
  nameIsPublic: boolean("name_is_public").notNull(),
  avatarUrl: text("avatar_url"),
  avatarUrlIsPublic: boolean("avatar_url_is_public").notNull(),
  phone: text("phone"),
  phoneIsPublic: boolean("phone_is_public").notNull(),
  url: text("url"),
  urlIsPublic: boolean("url_is_public").notNull(),
  summary: text("summary"),
  summaryIsPublic: boolean("summary_is_public").notNull(),
  location: text("location"),
  locationIsPublic: boolean("location_is_public").notNull(),
  codehostUrl: text("codehost_url"),
  codehostUrlIsPublic: boolean("codehost_url_is_public").notNull(),
  socialnetworkUrl: text("socialnetwork_url"),
  socialnetworkUrlIsPublic: boolean("socialnetwork_url_is_public").notNull(),
  microblogUrl: text("microblog_url"),
  microblogUrlIsPublic: boolean("microblog_url_is_public").notNull(),
  professionalnetworkUrl: text("professionalnetwork_url"),
  professionalnetworkUrlIsPublic: boolean("professionalnetwork_url_is_public").notNull(),
  videoUrl: text("video_url"),
  videoUrlIsPublic: boolean("video_url_is_public").notNull(),
});

export const jobs = sqliteTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    userId: owner(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    title: text("title").notNull(),
    startDate: timestamp("start_date").notNull(),
    endDate: timestamp("end_date"),
    isCurrent: boolean("is_current").notNull(),
    isPublic: boolean("is_public").notNull(),
    companyName: text("company_name").notNull(),
    technologies: strings("technologies").notNull(),
    description: text("description").notNull(),
    isRemote: boolean("is_remote").notNull(),
    companyUrl: text("company_url").notNull(),
    listingId: text("listing_id").notNull(),
  },
  (table) => [index("jobs_by_user").on(table.userId)],
);

export const projects = sqliteTable(
  "projects",
  {
    id: integer("id").primaryKey(),
    userId: owner(),
    title: text("title").notNull(),
    shortDescription: text("short_description").notNull(),
    technologies: strings("technologies").notNull(),
    isCurrent: boolean("is_current").notNull(),
    isRemote: boolean("is_remote").notNull(),
    isOpenSource: boolean("is_open_source").notNull(),
    description: text("description"),
    role: text("role").notNull(),
    startDate: timestamp("start_date").notNull(),
    endDate: timestamp("end_date"),
    repoUrl: text("repo_url").notNull(),
    demoUrl: text("demo_url"),
    jobId: text("job_id").references(() => jobs.id),
  },
  (table) => [index("projects_by_user").on(table.userId)],
);

export const linkTrees = sqliteTable(
  "link_trees",
  {
    id: text("id").primaryKey(),
    userId: owner(),
    title: text("title").notNull(),
    description: text("description"),
    slug: text("slug").notNull().unique(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [index("link_trees_by_user").on(table.userId)],
);

export const links = sqliteTable(
  "links",
  {
    id: text("id").primaryKey(),
    linkTreeId: text("link_tree_id")
      .notNull()
      .references(() => linkTrees.id),
    position: integer("position").notNull(),
    label: text("label").notNull(),
    url: text("url").notNull(),
  },
  (table) => [index("links_by_tree").on(table.linkTreeId, table.position)],
);

export const educations = sqliteTable(
  "educations",
  {
    id: integer("id").primaryKey(),
    userId: owner(),
    institution: text("institution").notNull(),
    institutionUrl: text("institution_url").notNull(),
    studyLevel: text("study_level").notNull(),
    fieldOfStudy: text("field_of_study").notNull(),
    startDate: timestamp("start_date").notNull(),
    endDate: timestamp("end_date").notNull(),
    isCurrent: boolean("is_current").notNull(),
    description: text("description"),
  },
  (table) => [index("educations_by_user").on(table.userId)],
);

export const usersRelations = relations(users, ({ one, many }) => ({
  profile: one(profiles, { fields: [users.id], references: [profiles.userId] }),
  jobs: many(jobs),
  projects: many(projects),
  linkTrees: many(linkTrees),
  education: many(educations),
}));

export const jobsRelations = relations(jobs, ({ one }) => ({
  user: one(users, { fields: [jobs.userId], references: [users.id] }),
}));

export const projectsRelations = relations(projects, ({ one }) => ({
  user: one(users, { fields: [projects.userId], references: [users.id] }),
}));

export const linkTreesRelations = relations(linkTrees, ({ one, many }) => ({
  user: one(users, { fields: [linkTrees.userId], references: [users.id] }),
  links: many(links),
}));

export const linksRelations = relations(links, ({ one }) => ({
  linkTree: one(linkTrees, { fields: [links.linkTreeId], references: [linkTrees.id] }),
}));

export const educationsRelations = relations(educations, ({ one }) => ({
  user: one(users, { fields: [educations.userId], references: [users.id] }),
}));
