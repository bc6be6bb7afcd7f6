import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from "typeorm";
import { LinkTree } from "./link-tree.entity.js";

@Entity("links")
@Index(["linkTreeId", "position"])
export class Link {
  @PrimaryColumn("text")
  id: string;

  @Column("text")
  linkTreeId: string;

  @ManyToOne(
    () => LinkTree,
    (linkTree) => linkTree.links,
  )
  @JoinColumn({ name: "linkTreeId" })
  linkTree: Relation<LinkTree>;

  @Column("integer")
  position: number;

  @Column("text")
  label: string;

  @Column("text")
  url: string;
}
