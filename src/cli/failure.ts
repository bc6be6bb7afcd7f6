import { type DatabaseLocation, describeDatabase } from "../store/database-url.ts";

/** A command that could not do its work: what is wrong, and what to type next. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** A command that was not asked for in a way that could be understood. */
export class Misuse extends Failure {}

export function noDatabase(location: DatabaseLocation): Failure {
  return new Failure(`there is no database at ${describeDatabase(location)}`, "vitrine import FILE");
}

export function noSuchUser(email: string): Failure {
  return new Failure(`there is no user ${email}`, "vitrine user list");
}

export function noSuchTree(slug: string, remedy: string): Failure {
  return new Failure(`there is no link tree ${slug}`, remedy);
}

export function noSuchKey(id: string): Failure {
  return new Failure(`there is no key with the id ${id}`, "vitrine key list EMAIL");
}
