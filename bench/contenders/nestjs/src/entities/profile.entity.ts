import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from "typeorm";
import { DataField } from "./data-field.js";
import { User } from "./user.entity.js";

@Entity("profiles")
export class Profile {
  @PrimaryColumn("text")
  userId: string;

  @OneToOne(
    () => User,
    (user) => user.profile,
  )
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("datetime")
  updatedAt: Date;

  @Column("boolean")
  isPublic: boolean;

  @Column("text", { unique: true })
  slug: string;

  @Column(() => DataField)
  name: DataField;

  @Column(() => DataField)
  avatarUrl: DataField;

  @Column(() => DataField)
  phone: DataField;

  @Column(() => DataField)
  url: DataField;

  @Column(() => DataField)
  summary: DataField;

  @Column(() => DataField)
  location: DataField;

  @Column(() => DataField)
  codehostUrl: DataField;

  @Column(() => DataField)
  socialnetworkUrl: DataField;

  @Column(() => DataField)
  microblogUrl: DataField;

  @Column(() => DataField)
  professionalnetworkUrl: DataField;

  @Column(() => DataField)
  videoUrl: DataField;
}
