import type { Database, Statement } from "bun:sqlite";
import { givenUserId } from "../../records/reconcile.ts";
import { foldEmail } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import { readStored } from "../../records/stored.ts";
import type { Lookup, StoredUser } from "../save/plan.ts";
import { type EarlierRecord, type RecordRow, recordTextOf, recovered } from "../stored-record.ts";

interface Found extends StoredUser {
  /** The value that was asked about. */
  readonly value: string;
}

/** Finds users by a JSON array of values: one call for a batch, and one text for an array of any length. */
function ownersBy(join: string): string {
  return `SELECT wanted.value, users.number, users.id, users.email FROM json_each(?) AS wanted CROSS JOIN ${join}`;
}

const OWNERS = {
  ids: ownersBy("users ON users.id = wanted.value"),
  emails: ownersBy("users ON users.folded_email = wanted.value"),
  profileSlugs: ownersBy("users ON users.profile_slug = wanted.value"),
  treeSlugs: ownersBy("trees ON trees.slug = wanted.value JOIN users ON users.number = trees.user_number"),
  treeIds: ownersBy("trees ON trees.id = wanted.value JOIN users ON users.number = trees.user_number"),
} as const;

type Kind = keyof typeof OWNERS;

/** Answers all that planning will ask about a batch with one statement for each kind of question. */
export class BatchLookup {
  readonly #owners: Readonly<Record<Kind, Statement<Found, [string]>>>;
  readonly #record: Statement<RecordRow, [number]>;
  readonly #fullDocument: Statement<{ body: Uint8Array }, [number]>;

  constructor(database: Database) {
    this.#owners = Object.fromEntries(
      Object.entries(OWNERS).map(([kind, sql]) => [kind, database.prepare<Found, [string]>(sql)]),
    ) as Record<Kind, Statement<Found, [string]>>;
    this.#record = database.prepare(
      "SELECT id, email, record, packed_record AS packedRecord FROM users WHERE number = ?",
    );
    this.#fullDocument = database.prepare("SELECT body FROM answers WHERE user_number = ?");
  }

  gather(inputs: readonly RecordInput[]): Lookup {
    const trees = inputs.flatMap((input) => input.linkTrees);
    return {
      userById: this.#find("ids", inputs.map(givenUserId)),
      userByEmail: this.#find(
        "emails",
        inputs.map(({ email }) => foldEmail(email)),
      ),
      ownerOfProfileSlug: this.#find(
        "profileSlugs",
        inputs.map(({ profile }) => profile.slug),
      ),
      ownerOfTreeSlug: this.#find(
        "treeSlugs",
        trees.map(({ slug }) => slug),
      ),
      ownerOfTreeId: this.#find(
        "treeIds",
        trees.map(({ id }) => id),
      ),
      recordOf: (user) => this.#recordOf(user),
    };
  }

  #recordOf({ number, id }: StoredUser): EarlierRecord {
    const row = this.#record.get(number);
    const text = row ? recordTextOf(row).record : "";
    const read = readStored(text);
    if ("record" in read) return { record: read.record, text, isDamaged: false };
    return recovered(id, this.#fullDocument.get(number)?.body);
  }

  #find(kind: Kind, values: (string | undefined)[]): (value: string) => Found | undefined {
    const rows = this.#owners[kind].all(JSON.stringify(values));
    const found = new Map(rows.map((row) => [row.value, row]));
    return (value) => found.get(value);
  }
}
