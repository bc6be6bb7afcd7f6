import type { Totals } from "../../store/contents.ts";
import type { Foreign } from "./kinds.ts";

/** The database to copy from is not there. */
export class NoSource extends Error {
  override readonly name = "NoSource";

  constructor() {
    super("there is no database to copy from");
  }
}

/** The database to copy to holds something that no earlier copy of this source has left, and that would be lost. */
export class ForeignContents extends Error {
  override readonly name = "ForeignContents";
  readonly foreign: Foreign;

  constructor(foreign: Foreign) {
    super(`the target holds what does not come from the source: ${JSON.stringify(foreign)}`);
    this.foreign = foreign;
  }
}

/** The two databases are not the same after the copy: one of them was written to meanwhile. */
export class SidesDiffer extends Error {
  override readonly name = "SidesDiffer";
  /** The number of rows of each kind that are not the same in both. */
  readonly different: Totals;

  constructor(different: Totals) {
    super(`the sides differ: ${JSON.stringify(different)}`);
    this.different = different;
  }
}

/** Documents of the target are not what its records compile to. */
export class WrongDocuments extends Error {
  override readonly name = "WrongDocuments";
  readonly count: number;

  constructor(count: number) {
    super(`${count} wrong documents in the target`);
    this.count = count;
  }
}
