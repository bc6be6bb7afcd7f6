import type { DataSourceOptions } from "typeorm";
import { ApiKey } from "./entities/api-key.entity.js";
import { Education } from "./entities/education.entity.js";
import { Job } from "./entities/job.entity.js";
import { Link } from "./entities/link.entity.js";
import { LinkTree } from "./entities/link-tree.entity.js";
import { Profile } from "./entities/profile.entity.js";
import { Project } from "./entities/project.entity.js";
import { User } from "./entities/user.entity.js";

export const entities = [User, ApiKey, Profile, Job, Project, LinkTree, Link, Education];

export function databaseOptions(file: string): DataSourceOptions {
  return {
    type: "better-sqlite3",
    database: file,
    entities,
    enableWAL: true,
    prepareDatabase: (client: { pragma(text: string): unknown }) =>
      void client.pragma("synchronous = NORMAL"),
  };
}
