import type { Contents, ContentsReader, ContentsWriter, Totals } from "../../store/contents.ts";
import { type DatabaseLocation, describeDatabase } from "../../store/database-url.ts";
import { databaseExists, openContentsReader, openContentsWriter, openStore } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import { COUNTS, KEYS, type Kind, USERS } from "../copy/kinds.ts";
import { Cursor, type Pair, sideBySide } from "../copy/side-by-side.ts";
import { Failure, Misuse } from "../failure.ts";
import { number, plural, print, printJson } from "../output.ts";
import { ProgressBar } from "../progress.ts";

export interface CopyOptions {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  readonly json: boolean;
}

/** Copies what the target lacks, so that it can be run again, and in the end holds both against each other. */
export async function copy({ from, to, json }: CopyOptions): Promise<void> {
  if (Bun.deepEquals(from, to)) throw new Misuse("--from and --to name the same database");
  if (!(await databaseExists(from)))
    throw new Failure(`there is no database at ${describeDatabase(from)}`, "vitrine copy --help");
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await openContentsReader(from), (it) => it.close());
  await refuseOtherSchema(source, from);
  const store = opened.adopt(await openStore(to), (it) => it.close());
  const target = opened.adopt(await openContentsWriter(to), (it) => it.close());

  const copied = await source.asOfOneMoment(async (contents) => {
    const sides = await sidesOf(contents, target.contents);
    await makeReady(sides, target, to);
    return copyAll(sides, target, to);
  });
  // What was written to the source meanwhile shows now.
  const verified = await source.asOfOneMoment(async (contents) =>
    verify(await sidesOf(contents, target.contents)),
  );
  await verifyDocuments(store);

  const places = { from: describeDatabase(from), to: describeDatabase(to) };
  if (json) return printJson({ ...places, copied, verified });
  const isRest = (Object.keys(copied) as (keyof Totals)[]).some((name) => copied[name] < verified[name]);
  print(
    `Copied ${said(copied)} from ${places.from} to ${places.to}${isRest ? "; the rest was there already" : ""}.`,
  );
  print(
    `Verified: ${said(verified)} are the same in both, and every document is what its record compiles to.`,
  );
}

async function refuseOtherSchema(source: ContentsReader, location: DatabaseLocation): Promise<void> {
  const { found, expected } = await source.schemaVersion();
  if (found === expected) return;
  throw new Failure(
    `the database ${describeDatabase(location)} has schema version ${found}, and only version ${expected} can be copied`,
    found < expected ? "vitrine migrate --database URL" : "use a newer Vitrine",
  );
}

/**
 * A target that holds something must be what an earlier copy has left; that is made sure of before anything is
 * written. Users who have changed since go first, all of them: one may now have the slug that was another's.
 */
async function makeReady(sides: Sides, target: ContentsWriter, to: DatabaseLocation): Promise<void> {
  if ((await sides.target.totals()).users === 0) return;
  let outdated = 0;
  await compareAll("Checking", sides, async (kind, differing) => {
    refuseForeign(kind, differing, to);
    if (kind.name === USERS.name) outdated += differing.filter((pair) => pair.target).length;
  });
  if (outdated === 0) return;
  await compare(USERS, "Clearing", sides, async (_, differing) => {
    const stored = differing.flatMap((pair) => pair.target ?? []);
    if (stored.length > 0) await target.deleteUsers(stored);
  });
}

async function copyAll(sides: Sides, target: ContentsWriter, to: DatabaseLocation): Promise<Totals> {
  const copied = { users: 0, keys: 0, counts: 0 };
  await compareAll("Copying", sides, async (kind, differing) => {
    refuseForeign(kind, differing, to);
    const rows = differing.flatMap((pair) => pair.source ?? []);
    await kind.put(target, rows);
    copied[kind.name] += rows.length;
  });
  return copied;
}

async function verify(sides: Sides): Promise<Totals> {
  const different = { users: 0, keys: 0, counts: 0 };
  const seen = await compareAll("Verifying", sides, async (kind, differing) => {
    different[kind.name] += differing.length;
  });
  if (different.users + different.keys + different.counts > 0) {
    throw new Failure(
      `${said(different)} are not the same in both: somebody has written since the copy began`,
      "stop whatever writes to them, and run the same copy again: it takes over what has changed",
    );
  }
  return seen;
}

async function verifyDocuments(target: Store): Promise<void> {
  const bar = new ProgressBar("Verifying documents");
  let wrong = 0;
  for await (const _ of target.discrepancies(({ done, total }) => bar.update(done, total))) wrong++;
  bar.end();
  if (wrong > 0) {
    throw new Failure(
      `${plural(wrong, "document")} of the target ${wrong === 1 ? "is" : "are"} not what the records compile to`,
      "vitrine rebuild --database URL",
    );
  }
}

/** Two databases to be compared, and how much there is in the first. */
interface Sides {
  readonly source: Contents;
  readonly target: Contents;
  readonly totals: Totals;
}

async function sidesOf(source: Contents, target: Contents): Promise<Sides> {
  return { source, target, totals: await source.totals() };
}

type See = <Row>(kind: Kind<Row>, differing: readonly Pair<Row>[]) => Promise<void>;

/** Shows what differs, some at a time, and returns how many rows of the source there were. */
async function compareAll(label: string, sides: Sides, see: See): Promise<Totals> {
  return {
    users: await compare(USERS, label, sides, see),
    keys: await compare(KEYS, label, sides, see),
    counts: await compare(COUNTS, label, sides, see),
  };
}

async function compare<Row>(
  kind: Kind<Row>,
  label: string,
  { source, target, totals }: Sides,
  see: (kind: Kind<Row>, differing: readonly Pair<Row>[]) => Promise<void>,
): Promise<number> {
  const cursor = (contents: Contents) => new Cursor<Row>((last) => kind.readAfter(contents, last));
  const bar = new ProgressBar(`${label} ${kind.name}`);
  let done = 0;
  try {
    for await (const pairs of sideBySide(cursor(source), cursor(target), kind.compare)) {
      const differing = pairs.filter(
        (pair) => !pair.source || !pair.target || !kind.isSame(pair.source, pair.target),
      );
      if (differing.length > 0) await see(kind, differing);
      for (const pair of pairs) if (pair.source) done++;
      bar.update(done, totals[kind.name], () => number(done));
    }
  } finally {
    bar.end();
  }
  return done;
}

function refuseForeign<Row>(kind: Kind<Row>, pairs: readonly Pair<Row>[], to: DatabaseLocation): void {
  for (const { source, target } of pairs) {
    const reason = target && kind.foreign(source, target);
    if (reason === undefined) continue;
    throw new Failure(
      `the database ${describeDatabase(to)} holds what does not come from the source: ${reason}`,
      "name an empty database with --to; or, if a user was deleted from the source, delete the user there, too",
    );
  }
}

function said({ users, keys, counts }: Totals): string {
  return `${plural(users, "user")}, ${plural(keys, "key")} and ${plural(counts, "count")}`;
}
