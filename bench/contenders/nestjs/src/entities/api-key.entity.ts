import { Column, Entity, PrimaryColumn } from "typeorm";

@Entity("api_keys")
export class ApiKey {
  @PrimaryColumn("text")
  hash: string;

  @Column("text")
  userId: string;

  @Column("datetime", { nullable: true })
  expiresAt: Date | null;

  @Column("datetime", { nullable: true })
  revokedAt: Date | null;
}
