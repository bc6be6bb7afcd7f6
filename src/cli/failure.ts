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

/** A command that another process stands in the way of: the same may go well later. */
export class Busy extends Failure {}

/** A command that found what somebody has to see to. It has done its work. */
export class Found extends Failure {}

export class NoDatabase extends Failure {
  constructor(database: string) {
    super(`there is no database at ${database}`, "vitrine import FILE");
  }
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

export function noSuchHook(id: string): Failure {
  return new Failure(`there is no hook with the id ${id}`, "vitrine hook list");
}
