import { formatProblem, parsePlace, type Problem as RecordProblem } from "../records/problems.ts";
import type { Problem, Visitor } from "./contract.ts";

/** Problems as the page takes them, with what to do about each. Who has a value that is taken is told to the operator alone. */
export function problemsFor(problems: readonly RecordProblem[], reader: Visitor["kind"]): Problem[] {
  return problems.map((problem) => ({
    path: parsePlace(problem.place),
    message:
      problem.isTaken && reader !== "operator"
        ? "is already taken"
        : formatProblem({ ...problem, place: "" }),
  }));
}
