import { nextTurn } from "../../async/turn.ts";
import type { Contents, Totals } from "../../store/contents.ts";
import { COUNTS, HOOKS, KEYS, type Kind, USERS } from "./kinds.ts";
import { Cursor, type Pair, sideBySide } from "./side-by-side.ts";

/** Two databases to be compared, and how much there is in the first. */
export interface Sides {
  readonly source: Contents;
  readonly target: Contents;
  readonly totals: Totals;
}

export async function sidesOf(source: Contents, target: Contents): Promise<Sides> {
  return { source, target, totals: await source.totals() };
}

/** Told how many rows of the source have been compared. */
export type OnRows = (kind: keyof Totals, done: number, total: number) => void;

type See = <Row>(kind: Kind<Row>, differing: readonly Pair<Row>[]) => Promise<void>;

/** Shows what differs, some at a time, and returns how many rows of the source there were. */
export async function compareAll(sides: Sides, onRows: OnRows, see: See): Promise<Totals> {
  return {
    users: await compare(USERS, sides, onRows, see),
    keys: await compare(KEYS, sides, onRows, see),
    hooks: await compare(HOOKS, sides, onRows, see),
    counts: await compare(COUNTS, sides, onRows, see),
  };
}

/** The same for one kind of row. */
export async function compare<Row>(
  kind: Kind<Row>,
  { source, target, totals }: Sides,
  onRows: OnRows,
  see: (kind: Kind<Row>, differing: readonly Pair<Row>[]) => Promise<void>,
): Promise<number> {
  const cursor = (contents: Contents) => new Cursor<Row>((last) => kind.readAfter(contents, last));
  let done = 0;
  for await (const pairs of sideBySide(cursor(source), cursor(target), kind.compare)) {
    const differing = pairs.filter(
      (pair) => !pair.source || !pair.target || !kind.isSame(pair.source, pair.target),
    );
    if (differing.length > 0) await see(kind, differing);
    for (const pair of pairs) if (pair.source) done++;
    onRows(kind.name, done, totals[kind.name]);
    // Two embedded databases answer at once, and would let no signal through.
    await nextTurn();
  }
  return done;
}
