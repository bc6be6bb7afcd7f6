import { Column } from "typeorm";

/** A value of a profile, and whether its owner marked it public. */
export class DataField {
  @Column("boolean")
  isPublic: boolean;

  @Column("text", { nullable: true })
  value: string | null;
}
