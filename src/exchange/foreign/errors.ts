import type { Fault } from "../syntax/value.ts";

/** Thrown where a file is nothing that its format knows. The message is a sentence about the file. */
export class NotInFormat extends Error {
  override readonly name = "NotInFormat";
}

/** Says where a text is nothing in its syntax, and what to do about it. */
export function notReadable(name: string, { fault, advice, position }: Fault): NotInFormat {
  const place = position ? `in line ${position.line}, column ${position.column}, ` : "";
  return new NotInFormat(`${place}${name} ${fault}${advice === undefined ? "" : `: ${advice}`}`);
}

/** Thrown where a file is of another format than was said. */
export class OtherFormat extends Error {
  override readonly name = "OtherFormat";
  /** The name of the format that it looks like. */
  readonly found: string;

  constructor(found: string, title: string) {
    super(`this looks like ${title}`);
    this.found = found;
  }
}

/** Thrown where neither the file nor its bringer says whose record it is. */
export class NoEmail extends Error {
  override readonly name = "NoEmail";

  constructor() {
    super("the file names no e-mail address");
  }
}
