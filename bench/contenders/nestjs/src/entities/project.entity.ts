import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from "typeorm";
import { User } from "./user.entity.js";

@Entity("projects")
export class Project {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @Column("text")
  userId: string;

  @ManyToOne(
    () => User,
    (user) => user.projects,
  )
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("text")
  title: string;

  @Column("text")
  shortDescription: string;

  @Column("simple-json")
  technologies: string[];

  @Column("boolean")
  isCurrent: boolean;

  @Column("boolean")
  isRemote: boolean;

  @Column("boolean")
  isOpenSource: boolean;

  @Column("text", { nullable: true })
  description: string | null;

  @Column("text")
  role: string;

  @Column("datetime")
  startDate: Date;

  @Column("datetime", { nullable: true })
  endDate: Date | null;

  @Column("text")
  repoUrl: string;

  @Column("text", { nullable: true })
  demoUrl: string | null;

  @Column("text", { nullable: true })
  jobId: string | null;
}
