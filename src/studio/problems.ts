import { parsePlace, type Problem as RecordProblem } from "../records/problems.ts";
import type { Problem, Visitor } from "./contract.ts";

/** Problems as the page takes them. Who has a value that is taken is told to the operator alone. */
export function problemsFor(problems: readonly RecordProblem[], reader: Visitor["kind"]): Problem[] {
  return problems.map(({ place, message, isTaken }) => ({
    path: parsePlace(place),
    message: isTaken && reader !== "operator" ? "is already taken" : message,
  }));
}
