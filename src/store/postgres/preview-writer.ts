import type { DrawnPreview, PreviewWriter } from "../preview-writer.ts";
import type { RenewedConnection } from "./renewed-connection.ts";

/** The owner is held, so that nobody is deleted meanwhile whose picture this is. */
const KEEP = `
  WITH owner AS (
    SELECT number FROM vitrine.users WHERE number = $1::float8::bigint AND EXISTS (
      SELECT FROM vitrine.renditions
      WHERE user_number = number AND kind = CASE $2 WHEN '' THEN 'profile' ELSE 'page' END AND tree_id = $2
        AND scene = $3)
    FOR KEY SHARE
  )
  INSERT INTO vitrine.previews (user_number, tree_id, scene, bytes) SELECT number, $2, $3, $4::bytea FROM owner
  ON CONFLICT (user_number, tree_id) DO UPDATE SET scene = excluded.scene, bytes = excluded.bytes`;

export class PostgresPreviewWriter implements PreviewWriter {
  readonly #connection: RenewedConnection;

  constructor(connection: RenewedConnection) {
    this.#connection = connection;
  }

  async keep({ userNumber, treeId, scene, bytes }: DrawnPreview): Promise<void> {
    await this.#connection.run(KEEP, [userNumber, treeId, scene, bytes]);
  }
}
