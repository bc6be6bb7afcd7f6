import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from "typeorm";
import { User } from "./user.entity.js";

@Entity("educations")
export class Education {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @Column("text")
  userId: string;

  @ManyToOne(
    () => User,
    (user) => user.education,
  )
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("text")
  institution: string;

  @Column("text")
  institutionUrl: string;

  @Column("text")
  studyLevel: string;

  @Column("text")
  fieldOfStudy: string;

  @Column("datetime")
  startDate: Date;

  @Column("datetime")
  endDate: Date;

  @Column("boolean")
  isCurrent: boolean;

  @Column("text", { nullable: true })
  description: string | null;
}
