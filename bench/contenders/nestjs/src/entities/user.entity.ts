import { Column, Entity, OneToMany, OneToOne, PrimaryColumn, type Relation } from "typeorm";
import { Education } from "./education.entity.js";
import { Job } from "./job.entity.js";
import { LinkTree } from "./link-tree.entity.js";
import { Profile } from "./profile.entity.js";
import { Project } from "./project.entity.js";

@Entity("users")
export class User {
  @PrimaryColumn("text")
  id: string;

  @Column("integer")
  codehostId: number;

  @Column("text", { unique: true })
  email: string;

  @Column("datetime")
  createdAt: Date;

  @Column("datetime")
  updatedAt: Date;

  @OneToOne(
    () => Profile,
    (profile) => profile.user,
  )
  profile: Relation<Profile>;

  @OneToMany(
    () => Job,
    (job) => job.user,
  )
  jobs: Relation<Job>[];

  @OneToMany(
    () => Project,
    (project) => project.user,
  )
  projects: Relation<Project>[];

  @OneToMany(
    () => LinkTree,
    (linkTree) => linkTree.user,
  )
  linkTrees: Relation<LinkTree>[];

  @OneToMany(
    () => Education,
    (education) => education.user,
  )
  education: Relation<Education>[];
}
