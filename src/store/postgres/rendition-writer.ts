import { RENDITION_VERSION } from "../../documents/version.ts";
import type { MadeRendition, RenditionWriter } from "../rendition-writer.ts";
import { type PackedColumns, PackedRows, unpacking } from "./packed-rows.ts";
import type { RenewedConnection } from "./renewed-connection.ts";

const RENDITION = {
  user_number: "bigint",
  kind: "text",
  tree_id: "text",
  etag: "text",
  picture_origin: "text",
  opening: "text",
  scene: "text",
  made_of: "text",
  body: "long bytes",
} as const satisfies PackedColumns;

/**
 * The owners are held, in the order in which everybody holds them, so that no record changes meanwhile. Where that had
 * to wait for a save, PostgreSQL looks again at the user alone, and not at the answers: so a user counts only who is
 * still the one that was seen with them. Somebody may have asked twice; and what a newer Vitrine has made stays, since
 * it will be read longer.
 */
const KEEP = keeping();

function keeping(): string {
  const { values, source } = unpacking(RENDITION);
  return `
    WITH given (${Object.keys(RENDITION)}) AS (SELECT ${values} FROM ${source}),
    owner AS (
      SELECT users.number, full_etag FROM vitrine.users
      JOIN vitrine.users AS seen ON seen.number = users.number AND seen.xmin = users.xmin
      JOIN vitrine.answers ON answers.user_number = users.number
      WHERE users.number IN (SELECT user_number FROM given) ORDER BY users.number FOR SHARE OF users
    )
    INSERT INTO vitrine.renditions
      (user_number, kind, tree_id, version, etag, picture_origin, opening, scene, body)
    SELECT DISTINCT ON (number, kind, tree_id)
      number, kind, tree_id, ${RENDITION_VERSION}, etag, picture_origin, opening, scene, body
    FROM given JOIN owner ON number = user_number AND full_etag = made_of
    ORDER BY number, kind, tree_id
    ON CONFLICT (user_number, kind, tree_id) DO UPDATE SET version = excluded.version, etag = excluded.etag,
      picture_origin = excluded.picture_origin, opening = excluded.opening, scene = excluded.scene,
      body = excluded.body
    WHERE renditions.version <= excluded.version`;
}

export class PostgresRenditionWriter implements RenditionWriter {
  readonly #connection: RenewedConnection;

  constructor(connection: RenewedConnection) {
    this.#connection = connection;
  }

  async keep(renditions: readonly MadeRendition[]): Promise<void> {
    const rows = new PackedRows();
    for (const { userNumber, kind, treeId, etag, pictureOrigin, opening, scene, madeOf, body } of renditions)
      rows.add(
        {
          user_number: userNumber,
          kind,
          tree_id: treeId,
          etag,
          picture_origin: pictureOrigin,
          opening,
          scene,
          made_of: madeOf,
        },
        { body },
      );
    await this.#connection.run(KEEP, rows.parameters);
  }
}
