/** Where something is to listen. */
interface Place {
  readonly host: string;
  readonly port: number;
  /** The flags that say where. */
  readonly hostFlag: string;
  readonly portFlag: string;
}

/** Thrown where nothing can listen at a place. The code is the system's own, such as EADDRINUSE. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
  readonly place: Place;
  readonly code: string | undefined;

  constructor(place: Place, cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.place = place;
    this.code = cause.code;
  }
}

/** Starts what listens, or throws `CannotListen`. */
export function listening<Server>(place: Place, start: () => Server): Server {
  try {
    return start();
  } catch (error) {
    throw new CannotListen(place, error as NodeJS.ErrnoException);
  }
}
