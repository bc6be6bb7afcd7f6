import { differencesBetween } from "../records/differences.ts";
import { reconcile } from "../records/reconcile.ts";
import { checkRecord, type RecordInput } from "../records/schema.ts";
import type { Way } from "../store/history.ts";
import { OtherRevision, RecordsRefused, type UserSummary } from "../store/store.ts";
import type { Studio, Visit } from "./call.ts";
import type { Problem, RecordCheck, SavedRecord, StoredRecord } from "./contract.ts";
import { notFound, StudioFault } from "./faults.ts";
import { problemsFor } from "./problems.ts";

/** More than anybody needs, and few enough that nobody can take half of all good names. */
const MOST_TREES = 1000;

/** Whose record is meant, and who asks. */
export interface Subject {
  readonly studio: Studio;
  readonly user: UserSummary;
  readonly visit: Visit;
}

export async function storedRecord({ studio, user }: Subject): Promise<StoredRecord> {
  const stored = await studio.store.records.findRevised(user.id);
  if (!stored) throw notFound("user");
  return stored;
}

type CheckedInput = { readonly input: RecordInput & { id: string } } | { readonly problems: Problem[] };

/** The same check as that of an import, and what only the studio refuses. */
function checkInput(subject: Subject, record: unknown): CheckedInput {
  const { user, visit } = subject;
  const checked = checkRecord(record);
  if ("problems" in checked) return { problems: problemsFor(checked.problems, visit.visitor.kind) };
  const problems: Problem[] = [];
  const { id = user.id, email } = checked.input;
  if (id !== user.id) problems.push({ path: ["id"], message: "is that of another user" });
  // An invitation and a provider's e-mail address lead to whoever has it, so that owners do not choose it themselves.
  if (visit.visitor.kind === "owner" && email !== user.email)
    problems.push({ path: ["email"], message: "can be changed by the operator alone" });
  // Those that the operator has imported may stay.
  const mostTrees = Math.max(MOST_TREES, user.linkTrees);
  if (visit.visitor.kind === "owner" && checked.input.linkTrees.length > mostTrees)
    problems.push({
      path: ["linkTrees"],
      message: `has more than ${mostTrees} link trees, which is the most`,
    });
  return problems.length > 0 ? { problems } : { input: { ...checked.input, id } };
}

/** What saving would say and do. Nothing is written. */
export async function checkAgainstStored(subject: Subject, record: unknown): Promise<RecordCheck> {
  const { studio, visit } = subject;
  const checked = checkInput(subject, record);
  if ("problems" in checked) return { record: null, problems: checked.problems, differences: [] };
  const stored = await storedRecord(subject);
  try {
    await studio.store.records.plan([checked.input]);
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    return { record: null, problems: refusalsFor(error, visit), differences: [] };
  }
  const settled = reconcile(checked.input, stored.record, studio.now()).record;
  return { record: settled, problems: [], differences: differencesBetween(stored.record, settled) };
}

/** Saves a record that builds on a revision. What stands in the way is told, and nothing is written then. */
export async function saveRecord(
  subject: Subject,
  { record, revision }: { readonly record: unknown; readonly revision: string },
  way: Way,
): Promise<SavedRecord> {
  const { studio, visit } = subject;
  const checked = checkInput(subject, record);
  if ("problems" in checked) throw problemsFault(checked.problems);
  try {
    const { change } = await studio.store.records.saveRevision(checked.input, revision, way);
    const stored = await storedRecord(subject);
    return { ...stored, change: change === "unchanged" ? "unchanged" : "updated" };
  } catch (error) {
    if (error instanceof RecordsRefused) throw problemsFault(refusalsFor(error, visit));
    if (!(error instanceof OtherRevision)) throw error;
    const stored = await storedRecord(subject);
    throw new StudioFault("conflict", "Somebody else has saved in between. Both versions are kept.", {
      stored,
      revision,
    });
  }
}

function refusalsFor({ refused }: RecordsRefused, visit: Visit): Problem[] {
  return problemsFor(
    refused.map(({ problem }) => problem),
    visit.visitor.kind,
  );
}

function problemsFault(problems: Problem[]): StudioFault {
  const count = problems.length === 1 ? "One thing is" : `${problems.length} things are`;
  return new StudioFault("problems", `${count} not right yet. Nothing was saved.`, { problems });
}
