import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from "typeorm";
import { User } from "./user.entity.js";

@Entity("jobs")
export class Job {
  @PrimaryColumn("text")
  id: string;

  @Index()
  @Column("text")
  userId: string;

  @ManyToOne(
    () => User,
    (user) => user.jobs,
  )
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("datetime")
  createdAt: Date;

  @Column("datetime")
  updatedAt: Date;

  @Column("text")
  title: string;

  @Column("datetime")
  startDate: Date;

  @Column("datetime", { nullable: true })
  endDate: Date | null;

  @Column("boolean")
  isCurrent: boolean;

  @Column("boolean")
  isPublic: boolean;

  @Column("text")
  companyName: string;

  @Column("simple-json")
  technologies: string[];

  @Column("text")
  description: string;

  @Column("boolean")
  isRemote: boolean;

  @Column("text")
  companyUrl: string;

  @Column("text")
  listingId: string;
}
