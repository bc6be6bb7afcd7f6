import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
} from "typeorm";
import { Link } from "./link.entity.js";
import { User } from "./user.entity.js";

@Entity("link_trees")
export class LinkTree {
  @PrimaryColumn("text")
  id: string;

  @Index()
  @Column("text")
  userId: string;

  @ManyToOne(
    () => User,
    (user) => user.linkTrees,
  )
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("text")
  title: string;

  @Column("text", { nullable: true })
  description: string | null;

  @Column("text", { unique: true })
  slug: string;

  @OneToMany(
    () => Link,
    (link) => link.linkTree,
  )
  links: Relation<Link>[];

  @Column("datetime")
  createdAt: Date;

  @Column("datetime")
  updatedAt: Date;
}
